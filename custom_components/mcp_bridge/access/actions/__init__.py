"""The changes that tools can ask for, each told beforehand, made, and taken back where there is a way."""
