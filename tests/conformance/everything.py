"""A server with everything that the conformance suite asks for, to be mounted on the endpoint.

MCP Bridge itself has tools of a house and no prompts. What the suite checks with named tools is the way to them: the
endpoint, the eras, sessions, streams and questions, which is the same for this server.
"""

from collections.abc import Awaitable, Callable
import json
from typing import Any, get_args

from mcp.server import CacheHint
from mcp.server.caching import CacheableMethod
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.subscriptions import ListenHandler, PromptsListChanged
from mcp.shared.exceptions import MCPError
import mcp_types as types

from custom_components.mcp_bridge.protocol.server import Context, McpServer
from homeassistant.core import callback

from .everything_media import PNG, text
from .everything_prompts import PROMPTS, PromptResult, get_prompt
from .everything_questions import QUESTION_TOOLS
from .everything_tools import TOOLS, FixtureTool, ToolResult, result

_NAME = "everything"
_TEMPLATE_PREFIX, _TEMPLATE_SUFFIX = "test://template/", "/data"
_TEXT, _BINARY, _WATCHED = (
    "test://static-text",
    "test://static-binary",
    "test://watched-resource",
)


class Everything:
    """What the server answers."""

    def __init__(self) -> None:
        """Start with nobody to announce changes to."""
        self.announce_changes: Callable[[], Awaitable[None]] | None = None
        self._listen: ListenHandler | None = None
        self._tools = TOOLS | QUESTION_TOOLS
        self._tools["test_trigger_tool_change"] = FixtureTool(run=self._change_tools)
        self._tools["test_trigger_prompt_change"] = FixtureTool(
            run=self._change_prompts
        )

    @callback
    def build(self, listen: ListenHandler) -> McpServer:
        """Return the server."""
        self._listen = listen
        hint = CacheHint(ttl_ms=1000, scope="private")
        server = McpServer(
            _NAME,
            version="1",
            cache_hints=dict.fromkeys(get_args(CacheableMethod), hint),
            get_tool_input_schema=self._schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=_list_resources,
            on_list_resource_templates=_list_resource_templates,
            on_read_resource=_read_resource,
            on_subscribe_resource=_accept,
            on_unsubscribe_resource=_accept,
            on_subscriptions_listen=listen,
            on_list_prompts=_list_prompts,
            on_get_prompt=_get_prompt,
            on_completion=_complete,
        )
        server.add_request_handler(
            "logging/setLevel", types.SetLevelRequestParams, _accept
        )
        server.middleware[:] = [
            RequestStateBoundary(
                RequestStateSecurity.ephemeral(), default_audience=_NAME
            )
        ]
        return server

    def _schema(self, name: str) -> dict[str, Any] | None:
        tool = self._tools.get(name)
        return tool.schema if tool else None

    async def _list_tools(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    description=f"Fixture: {name}",
                    input_schema=tool.schema,
                )
                for name, tool in self._tools.items()
            ]
        )

    async def _call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> ToolResult:
        if (tool := self._tools.get(params.name)) is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        return await tool.run(ctx, params)

    async def _change_tools(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> ToolResult:
        assert self.announce_changes is not None
        await self.announce_changes()
        return result(text("The change of tools was announced."))

    async def _change_prompts(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> ToolResult:
        """Announce what the endpoint never has to, as MCP Bridge has no prompts."""
        assert self._listen is not None
        await self._listen._bus.publish(PromptsListChanged())  # noqa: SLF001
        return result(text("The change of prompts was announced."))


async def _accept(
    ctx: Context,
    params: types.SubscribeRequestParams
    | types.UnsubscribeRequestParams
    | types.SetLevelRequestParams,
) -> types.EmptyResult:
    return types.EmptyResult()


async def _list_resources(
    ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(uri=uri, name=uri, description=f"Fixture: {uri}")
            for uri in (_TEXT, _BINARY, _WATCHED)
        ]
    )


async def _list_resource_templates(
    ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(
        uri_template=f"{_TEMPLATE_PREFIX}{{id}}{_TEMPLATE_SUFFIX}",
        name="template",
        description="Fixture: a resource with a parameter",
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def _read_resource(
    ctx: Context, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    uri = str(params.uri)
    return types.ReadResourceResult(contents=[_contents(uri)])


def _contents(uri: str) -> types.TextResourceContents | types.BlobResourceContents:
    if uri == _BINARY:
        return types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
    if uri == _TEXT:
        content = "This is the content of the static text resource."
    elif uri == _WATCHED:
        content = "This resource never changes."
    elif uri.startswith(_TEMPLATE_PREFIX) and uri.endswith(_TEMPLATE_SUFFIX):
        number = uri.removeprefix(_TEMPLATE_PREFIX).removesuffix(_TEMPLATE_SUFFIX)
        data = {"id": number, "templateTest": True, "data": f"Data for ID: {number}"}
        return types.TextResourceContents(
            uri=uri, mime_type="application/json", text=json.dumps(data)
        )
    else:
        raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": uri})
    return types.TextResourceContents(uri=uri, mime_type="text/plain", text=content)


async def _list_prompts(
    ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description=f"Fixture: {name}",
                arguments=[
                    types.PromptArgument(name=argument, required=True)
                    for argument in arguments
                ],
            )
            for name, arguments in PROMPTS.items()
        ]
    )


async def _get_prompt(
    ctx: Context, params: types.GetPromptRequestParams
) -> PromptResult:
    if params.name not in PROMPTS:
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name}")
    return get_prompt(params)


async def _complete(
    ctx: Context, params: types.CompleteRequestParams
) -> types.CompleteResult:
    words = ("paris", "park", "party", "test")
    values = [word for word in words if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=values))
