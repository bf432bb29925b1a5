"""The MCP server: the SDK's protocol machinery on top of our tools and resources."""

from collections.abc import Mapping
from typing import Any

from mcp.server import NotificationOptions, Server, ServerRequestContext
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
import mcp_types as types

from ..access.control import AccessControl
from ..access.guard.attempt import AskFirst
from ..const import DOMAIN, NAME
from ..models import Caller
from ..tools.declaration import Tool
from ..tools.registry import Answer, ToolRegistry, UnknownTool
from .asking import asker_of, input_required
from .instructions import instructions
from .resources import (
    MIME_TYPE,
    Resource,
    ResourceFailed,
    ResourceNotFound,
    offered_resources,
    read_resource,
)

type Context = ServerRequestContext[Any, Any]

# Results are given in wire form, which spares the SDK's models; 2026-07-28 asks for this member.
_COMPLETE: Mapping[str, str] = {"resultType": "complete"}
# How long clients may keep an answer. Lists change rarely, and are announced when they do; the house changes always.
_CACHE_HINTS: Mapping[CacheableMethod, CacheHint] = {
    "server/discover": CacheHint(ttl_ms=0, scope="private"),
    "tools/list": CacheHint(ttl_ms=60_000, scope="private"),
    "resources/list": CacheHint(ttl_ms=60_000, scope="private"),
    "resources/templates/list": CacheHint(ttl_ms=60_000, scope="private"),
    "resources/read": CacheHint(ttl_ms=0, scope="private"),
}
# Characters given back of what a client sent.
_LONGEST_ECHO = 300
_DESCRIBING_METHODS = frozenset(("initialize", "server/discover"))


class McpServer(Server[Any]):
    """The SDK's server, telling in the handshake that the lists may change.

    The session manager asks for these options without arguments, so there is no other place to say it.
    """

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Return the options with list changes announced."""
        changes = NotificationOptions(tools_changed=True, resources_changed=True)
        return super().create_initialization_options(
            notification_options or changes, experimental_capabilities, extensions
        )


def caller_of(ctx: Context) -> Caller:
    """Return who is asking; the endpoint puts it into every request."""
    assert ctx.request is not None
    caller: Caller = ctx.request.scope["state"]["caller"]
    return caller


class Handlers:
    """What the server answers."""

    def __init__(self, registry: ToolRegistry, access: AccessControl) -> None:
        """Answer out of the registry."""
        self._registry = registry
        self._access = access

    async def list_tools(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> Any:
        """Answer with the tools that exist for this caller."""
        return {
            "tools": [
                wire_tool(tool) for tool in self._registry.offered(caller_of(ctx))
            ],
            **_COMPLETE,
        }

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> Any:
        """Call a tool; only an unknown one is a protocol error."""
        try:
            answer = await self._registry.call(
                params.name,
                params.arguments,
                caller_of(ctx),
                asker=asker_of(ctx, params),
            )
        except AskFirst as err:
            return input_required(err.question)
        except UnknownTool as err:
            raise MCPError(
                types.INVALID_PARAMS, " ".join(filter(None, (err.message, err.hint)))
            ) from None
        return _wire_answer(answer)

    async def list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> Any:
        """Answer with the resources that have a fixed address."""
        resources = [
            _wire_resource(resource, "uri")
            for resource in self._offered(ctx)
            if not resource.is_template
        ]
        return {"resources": resources, **_COMPLETE}

    async def list_resource_templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> Any:
        """Answer with the resources that have a parameter in their address."""
        templates = [
            _wire_resource(resource, "uriTemplate")
            for resource in self._offered(ctx)
            if resource.is_template
        ]
        return {"resourceTemplates": templates, **_COMPLETE}

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> Any:
        """Answer with the body of a resource."""
        uri = str(params.uri)
        try:
            text = await read_resource(self._registry, caller_of(ctx), uri)
        except ResourceNotFound:
            raise MCPError(
                types.INVALID_PARAMS, "Resource not found", {"uri": uri[:_LONGEST_ECHO]}
            ) from None
        except ResourceFailed as err:
            raise MCPError(types.INTERNAL_ERROR, str(err)) from None
        return {
            "contents": [{"uri": uri, "mimeType": MIME_TYPE, "text": text}],
            **_COMPLETE,
        }

    async def describe(self, ctx: Context, call_next: Any) -> Any:
        """Middleware that gives each caller instructions of its own."""
        result = await call_next(ctx)
        if ctx.method in _DESCRIBING_METHODS and isinstance(result, dict):
            result["instructions"] = instructions(self._access, caller_of(ctx))
        return result

    def _offered(self, ctx: Context) -> list[Resource]:
        return offered_resources(self._registry, caller_of(ctx))


def build_server(
    registry: ToolRegistry, access: AccessControl, version: str, listen: ListenHandler
) -> McpServer:
    """Return the server."""
    handlers = Handlers(registry, access)
    server = McpServer(
        DOMAIN,
        title=NAME,
        version=version,
        cache_hints=_CACHE_HINTS,
        get_tool_input_schema=registry.input_schema,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_resource_templates,
        on_read_resource=handlers.read_resource,
        on_subscriptions_listen=listen,
    )
    # In the place of the SDK's tracing, which costs time on every call and reports to nobody here.
    server.middleware[:] = [handlers.describe]
    return server


def wire_tool(tool: Tool) -> dict[str, Any]:
    """Return a tool as tools/list gives it."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "annotations": tool.annotations,
    }


def _wire_answer(answer: Answer) -> dict[str, Any]:
    content = [{"type": "text", "text": answer.text}]
    if (image := answer.image) is not None:
        picture = {"type": "image", "data": image.base64, "mimeType": image.mime_type}
        content.insert(0, picture)
    return {
        "content": content,
        "structuredContent": answer.data,
        "isError": answer.is_error,
        **_COMPLETE,
    }


def _wire_resource(resource: Resource, address: str) -> dict[str, Any]:
    return {
        "name": resource.name,
        "description": resource.description,
        "mimeType": MIME_TYPE,
        address: resource.uri,
    }
