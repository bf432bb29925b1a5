"""Prompts of the everything server."""

import mcp_types as types

from .everything_media import embedded, image, text
from .everything_questions import ask, form, has_answers

type PromptResult = types.GetPromptResult | types.InputRequiredResult

# The arguments of each prompt.
PROMPTS: dict[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


def _prompt(*contents: types.ContentBlock) -> types.GetPromptResult:
    return types.GetPromptResult(
        messages=[
            types.PromptMessage(role="user", content=content) for content in contents
        ]
    )


def get_prompt(params: types.GetPromptRequestParams) -> PromptResult:
    """Return a prompt, or the question that it begins with."""
    arguments = params.arguments or {}
    match params.name:
        case "test_simple_prompt":
            return _prompt(text("This is a simple prompt for testing."))
        case "test_prompt_with_arguments":
            values = ", ".join(f"{name}='{value}'" for name, value in arguments.items())
            return _prompt(text(f"Prompt with arguments: {values}"))
        case "test_prompt_with_embedded_resource":
            resource = embedded(
                arguments["resourceUri"], "Embedded resource content for testing."
            )
            return _prompt(
                resource, text("Please process the embedded resource above.")
            )
        case "test_prompt_with_image":
            return _prompt(image(), text("Please analyze the image above."))
    if not has_answers(params, "user_context"):
        question = form("What context should the prompt use?", "context")
        return ask({"user_context": question})
    return _prompt(text(f"Work with this: {params.input_responses}"))
