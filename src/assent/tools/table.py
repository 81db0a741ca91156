"""The tool names and field names of every known agent: pure data, and the folding that makes spellings equal."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def fold(name: str) -> str:
    """`readFile`, `read_file` and `Read-File` are one name; anything outside ASCII stays a name of its own."""
    known = _folded.get(name)
    if known is not None:
        return known
    made = name.lower().replace("_", "").replace("-", "").replace(".", "").replace(" ", "") if name.isascii() else name
    if len(name) <= MOST_REMEMBERED:
        if len(_folded) >= MOST_FOLDED:
            _folded.clear()
        _folded[name] = made
    return made


MOST_FOLDED, MOST_REMEMBERED = 2_000, 60
_folded: dict[str, str] = {}
"""The same few names come with every call, and each is asked for many times."""

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "shell": (
        *("Bash", "Monitor"),  # Claude Code
        *("shell", "local_shell", "exec_command", "shell_command", "container.exec", "unified_exec"),  # Codex
        *("run_shell_command", "ShellTool"),  # Gemini CLI, Qwen Code
        *("execute_command", "run_commands"),  # Cline, Roo
        *("run_terminal_cmd", "run_terminal_command", "run_command"),  # Cursor, Windsurf
        *("run_in_terminal", "runInTerminal"),  # VS Code, Copilot
        *("execute_bash", "execute_cmd"),  # Kiro
        *("Execute", "execute_cli"),  # Droid
        *("developer__shell", "exec", "terminal", "shell_exec", "bash_tool", "run_bash"),  # Goose, frameworks
    ),
    "stdin": (
        *("write_stdin",),  # Codex
        *("write_bash", "write_powershell"),  # Copilot CLI
        *("send_terminal_input", "send_to_terminal", "write_to_terminal", "pipe_process_input"),  # editors, Droid
    ),
    "code": (
        *("PowerShell", "pwsh", "REPL"),  # Claude Code, Copilot CLI: not bash, so not read as bash
        *("js_repl", "code_interpreter", "exec_code"),  # Codex
        *("computercontroller__automation_script", "code_execution__execute_code"),  # Goose
        *("run_notebook_cell", "runNotebookCell", "copilot_runNotebookCell"),  # VS Code
        *("python", "python_repl", "Python_REPL", "python_repl_ast", "ipython", "execute_python", "run_python"),
        *("run_python_code", "python_interpreter", "execute_code", "run_code", "code_execution", "jupyter"),
        *("execute_ipython_cell", "bash_code_execution", "javascript", "node_repl"),
    ),
    "read": (
        *("Read", "NotebookRead"),  # Claude Code, Cursor, OpenCode, Droid, Kiro, Amp, Pi
        *("view_image",),  # Codex
        *("read_file", "ReadFileTool", "view_file", "view_code_item", "view_file_outline"),  # Gemini, Windsurf
        *("view",),  # Copilot CLI
        *("copilot_readFile", "open_file", "cat", "load_file", "read_text_file"),
        *("list_code_definition_names", "read_notebook"),  # Cline
        *("developer__read_image", "developer__image_processor"),  # Goose
    ),
    "language_server": ("LSP",),  # Claude Code, OpenCode
    "read_many": (
        *("read_many_files", "ReadManyFilesTool"),  # Gemini CLI, Qwen Code
        *("read_files",),  # Cline
        *("fs_read",),  # Kiro
        *("read_multiple_files",),
    ),
    "write": (
        *("Write",),  # Claude Code, Cursor, OpenCode, Kiro, Pi
        *("write_file", "WriteFileTool"),  # Gemini CLI, LangChain
        *("create", "Create"),  # Copilot CLI, Droid
        *("create_file", "copilot_createFile"),  # Amp, VS Code
        *("write_to_file", "new_file"),  # Cline, Windsurf
        *("save_file", "append_file", "append_to_file", "file_write", "developer__write", "write_text_file"),
    ),
    "edit": (
        *("Edit",),  # Claude Code, OpenCode, Droid, Copilot CLI, Pi
        *("replace", "smart_edit", "EditTool"),  # Gemini CLI, Qwen Code
        *("replace_in_file", "apply_diff", "insert_content", "search_and_replace"),  # Cline, Roo
        *("search_replace", "edit_file", "StrReplace", "reapply"),  # Cursor, Amp
        *("propose_code", "replace_file_content", "edit_code"),  # Windsurf
        *("replace_string_in_file", "insert_edit_into_file", "copilot_replaceString"),  # VS Code
        *("undo_edit", "str_replace", "insert", "developer__edit", "file_edit", "format_file"),
    ),
    "multi_edit": (
        *("MultiEdit", "multi_edit"),  # Claude Code, Droid
        *("multi_replace_string_in_file", "multi_replace_file_content", "multiedit_files"),  # VS Code, Windsurf
    ),
    "editor": (
        *("str_replace_editor", "str_replace_based_edit_tool", "text_editor"),  # Anthropic's text editor tool
        *("fs_write",),  # Kiro
        *("developer__text_editor",),  # Goose
        *("editor",),  # Cline, Strands
    ),
    "notebook": (
        *("NotebookEdit", "NotebookEditCell"),  # Claude Code
        *("edit_notebook", "edit_notebook_file", "copilot_editNotebook"),  # Cursor, VS Code
    ),
    "glob": (
        *("Glob", "GlobTool"),  # Claude Code, Gemini CLI, OpenCode, Droid, Amp, Copilot CLI
        *("find_by_name", "find_files", "find"),  # Windsurf, Pi
        *("file_search", "copilot_findFiles", "search_file"),  # Cursor, VS Code, LangChain
    ),
    "grep": (
        *("Grep", "GrepTool"),  # Claude Code, OpenCode, Droid, Amp, Copilot CLI, Kiro, Pi
        *("grep_files",),  # Codex
        *("search_file_content", "grep_search", "ripGrep"),  # Gemini CLI, Cursor, Qwen Code
        *("search_files", "search_codebase"),  # Cline
        *("codebase_search", "SemanticSearch", "read_lints", "finder"),  # Cursor, Amp
        *("get_errors",),  # VS Code
        *("search", "search_in_file", "semantic_search", "list_code_usages", "rg", "find_in_files"),
    ),
    "list": (
        *("LS", "LSTool"),  # Claude Code, Droid, Pi
        *("list_dir", "list_directory"),  # Codex, Gemini CLI, Cursor, Windsurf
        *("list_files",),  # Cline
        *("list",),  # OpenCode
        *("developer__tree", "tree", "directory_tree", "copilot_listDirectory", "ls", "read_folder"),
    ),
    "patch": (
        *("apply_patch", "ApplyPatch"),  # Codex, OpenCode, Droid, Copilot CLI
        *("patch", "copilot_applyPatch"),  # OpenCode, VS Code
        *("git_apply", "apply_unified_diff"),
    ),
    "delete": (
        *("Delete", "delete_file"),  # Cursor, Windsurf
        *("file_delete", "DeleteFileTool", "remove_file", "delete_files", "delete_folder", "delete_directory"),
        *("remove_directory", "rm"),
    ),
    "move": ("move_file", "file_move", "MoveFileTool", "rename_file", "move", "rename", "mv"),
    "copy": ("copy_file", "file_copy", "CopyFileTool", "copy", "cp"),
    "make_folder": ("create_directory", "make_directory", "create_folder", "mkdir", "copilot_createDirectory"),
    "fetch": (
        *("WebFetch",),  # Claude Code, OpenCode, Gemini CLI, Qwen Code, Copilot CLI, Kiro
        *("read_web_page",),  # Amp
        *("FetchUrl", "fetch_url"),  # Droid
        *("fetch_web_content", "fetch_webpage", "copilot_fetchWebPage"),  # Cline, VS Code
        *("read_url_content", "view_web_document_content_chunk"),  # Windsurf
        *("computercontroller__web_scrape", "fetch", "http_request", "requests_get", "requests_post"),
        *("requests_put", "requests_patch", "requests_delete", "visit_webpage", "download_file", "web_scrape"),
    ),
    "web_search": (
        *("WebSearch",),  # Claude Code, Codex, Cursor, Amp, Droid, OpenCode, Copilot CLI, Kiro
        *("google_web_search",),  # Gemini CLI
        *("search_web", "web_search_preview", "web_search_call", "duckduckgo_search", "tavily_search"),
        *("tavily_search_results_json", "google_search", "brave_search"),
    ),
    "mcp": (
        *("Mcp", "MCPTool", "CallMcpTool"),  # Assent's own form, Cursor
        *("use_mcp_tool", "call_mcp_tool"),  # Cline, Roo, Windsurf
    ),
    "mcp_prompt": ("get_mcp_prompt",),
    "mcp_resource": (
        *("ListMcpResourcesTool", "ReadMcpResourceTool", "ListMcpResources", "ReadMcpResource"),  # Claude Code
        *("list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"),  # Codex, Gemini CLI
        *("access_mcp_resource", "fetch_mcp_resource"),  # Cline, Cursor
        *("list_resources", "read_resource"),  # Windsurf, Goose
    ),
    "agent": (
        *("Task", "Agent"),  # Claude Code, OpenCode, Cursor, Droid, Amp, Copilot CLI
        *("spawn_agent", "spawn_agents_on_csv"),  # Codex
        *("codebase_investigator", "delegate_to_agent", "invoke_agent", "cli_help"),  # Gemini CLI
        *("new_task", "use_subagents", "use_subagent"),  # Cline, Roo, Kiro
        *("delegate", "subagent", "run_subagent", "runSubagent", "oracle", "librarian"),  # Kiro, Goose, VS Code, Amp
    ),
    "skill": ("Skill", "activate_skill", "use_skill", "skills", "SlashCommand", "load_skill"),
    "browser": (
        *("browser_action",),  # Cline, Roo
        *("browser_preview", "open_browser_url", "open_simple_browser", "capture_browser_screenshot"),  # Windsurf
        *("navigate_browser", "click_element", "extract_text", "extract_hyperlinks", "get_elements"),  # LangChain
        *("current_webpage", "previous_webpage", "browser", "computer", "browser_navigate", "browser_subagent"),
    ),
    "memory": (
        *("save_memory",),  # Gemini CLI, Qwen Code
        *("update_memory", "create_memory", "store_memory"),  # Cursor, Windsurf, Copilot CLI
        *("memory", "memory__remember_memory", "memory__remove_memory_category"),  # Anthropic, Goose
        *("memory__remove_specific_memory", "knowledge", "new_rule"),  # Goose, Kiro, Cline
    ),
    "batch": ("batch", "multi_tool_use.parallel", "parallel", "multi_tool_use"),
    "note": (
        *("TodoWrite", "TodoRead", "ExitPlanMode", "EnterPlanMode", "AskUserQuestion", "BashOutput"),  # Claude Code
        *("KillShell", "KillBash", "TaskOutput", "AgentOutputTool", "TaskStop", "TaskCreate", "TaskGet"),
        *("TaskList", "TaskUpdate", "ToolSearch", "CronList", "StructuredOutput", "TaskOutputTool"),
        *("update_plan", "request_user_input", "wait", "get_goal"),  # Codex
        *("wait_agent", "close_agent", "resume_agent"),
        *("write_todos", "ask_user", "update_topic", "complete_task", "get_internal_docs"),  # Gemini CLI
        *("todo_write", "todo_read", "question", "plan_exit", "plan_enter"),  # Qwen Code, OpenCode
        *("report_intent", "read_bash", "stop_bash", "list_bash", "read_powershell", "stop_powershell"),  # Copilot
        *("list_powershell", "read_agent", "list_agents", "update_todo", "task_complete", "fetch_copilot_cli_docs"),
        *("ask_followup_question", "attempt_completion", "plan_mode_respond", "act_mode_respond"),  # Cline
        *("focus_chain", "condense", "summarize_task", "update_todo_list", "load_mcp_documentation"),
        *("create_plan", "fetch_rules", "create_diagram"),  # Cursor
        *("command_status", "suggested_responses", "todo_list", "read_terminal"),  # Windsurf
        *("manage_todo_list", "get_terminal_output", "terminal_last_command", "terminal_selection"),  # VS Code
        *("todo", "todo__write", "final_output", "recipe__final_output"),  # Goose
        *("introspect", "thinking", "think", "ExitSpecMode", "get_terminal_status"),  # Kiro, Droid
        *("sequential_thinking", "final_answer", "finish"),
    ),
}

FAMILY: Mapping[str, str] = {fold(name): family for family, names in FAMILIES.items() for name in names}

EXTENSIONS = frozenset(name for names in FAMILIES.values() for name in names if "__" in name)
"""Goose's own tools: the only names with `__` that are not calls to an MCP server."""

CANONICAL: Mapping[str, str] = {
    **dict.fromkeys(("shell", "stdin"), "Bash"),
    **dict.fromkeys(("read", "read_many", "language_server"), "Read"),
    **dict.fromkeys(("write", "edit", "multi_edit", "editor", "notebook", "patch"), "Write"),
    **dict.fromkeys(("move", "copy", "make_folder"), "Write"),
    **dict.fromkeys(("mcp", "mcp_name", "mcp_resource", "mcp_prompt"), "Mcp"),
    "delete": "Delete",
    "glob": "Glob",
    "grep": "Grep",
    "list": "List",
    "fetch": "WebFetch",
    "web_search": "WebSearch",
    "agent": "Agent",
    "skill": "Skill",
    "browser": "Browser",
    "memory": "Memory",
    "code": "Code",
    "batch": "Batch",
    "note": "Note",
}

# --- field names, folded -------------------------------------------------------------------------------------------

PATH_KEYS = (
    *("filepath", "path", "absolutepath", "notebookpath", "targetfile", "filename", "file", "uri", "targetnotebook"),
    *("paths", "filepaths", "files", "targetdirectory", "targetdirectories", "dirpath", "directory", "directorypath"),
    *("dir", "folder", "folderpath", "relativepath", "relativeworkspacepath", "relpath", "searchpath", "searchpaths"),
    *("searchdirectory", "absolutefilepath", "absolutepaths", "abspath", "imagepath", "imagepaths", "outputpath"),
    *("outputfile", "savepath", "saveto", "destinationpath", "destpath", "sourcepath", "fname", "location", "root"),
    *("rootdir", "basepath", "basedir", "pathinproject", "notebook", "fileuri", "absoluteuri"),
)
NESTED_KEYS = ("edits", "replacements", "changes", "operations", "replacementchunks", "args")
"""Lists of objects in which each may name a file of its own."""
SOURCE_KEYS = (
    *("source", "src", "from", "oldpath", "sourcepath", "frompath", "sourcefile", "oldname", "srcpath", "origin"),
    *("filepath", "path", "file", "oldfilepath", "sources", "sourcefilepath"),
)
TARGET_KEYS = (
    *("destination", "dest", "dst", "to", "newpath", "target", "destinationpath", "topath", "newname", "dstpath"),
    *("destpath", "targetpath", "destinationfile", "newfilepath", "destinationfilepath"),
)
URL_KEYS = ("url", "urls", "uri", "href", "link", "targeturl", "pageurl", "endpoint", "documentid", "address")
HOST_KEYS = (
    *("host", "hosts", "hostname", "hostnames", "ip", "ips", "ipaddress", "server", "serveraddress", "domain"),
    *("addr", "baseurl", "serverurl", "apiurl", "site", "website", "origin", "remote", "proxy", "upstream"),
)
"""Fields of tools that nobody described in which a machine is named, often without a scheme."""
COMMAND_KEYS = ("command", "cmd", "commands", "commandline", "script", "shellcommand", "bashcommand", "code")
CODE_KEYS = (*COMMAND_KEYS, "source", "input", "query", "python", "javascript", "cell", "codes", "text")
PATTERN_KEYS = (
    "pattern",
    "patterns",
    "globpattern",
    "glob",
    "filepattern",
    "filemask",
    "searchpattern",
    "query",
    "name",
)
FILTER_KEYS = ("glob", "include", "includepattern", "filepattern", "filefilter", "globs", "includes", "globfilter")
CWD_KEYS = ("cwd", "workdir", "workingdirectory", "workingdir", "dirpath", "directory", "dir", "path", "folder")
ENV_KEYS = ("env", "environment", "envvars", "environmentvariables")
SANDBOX_KEYS = (
    *("dangerouslydisablesandbox", "sandboxpermissions", "withescalatedpermissions", "additionalpermissions"),
    *("requiredpermissions", "disablesandbox", "nosandbox", "unsandboxed", "escalated", "escalatedpermissions"),
    *("privileged", "elevated", "bypasssandbox", "skipsandbox", "withadditionalpermissions", "requestpermissions"),
)
PATCH_KEYS = ("input", "patch", "patchtext", "diff", "command", "patchcontent", "unifieddiff", "content", "cmd")
TYPED_KEYS = (
    *("chars", "characters", "input", "text", "data", "keys", "key", "stdin", "content", "contents", "line", "lines"),
    *("keystrokes", "value", "values", "message"),
)
"""Text that goes into a running program as if somebody typed it."""
MODE_KEYS = ("mode", "permissionmode", "approvalmode", "modeslug")
SERVER_KEYS = ("server", "servername", "mcpserver", "serverid", "mcpservername")
MCP_TOOL_KEYS = ("name", "toolname", "tool", "mcptoolname")
ARGUMENT_KEYS = ("arguments", "args", "toolarguments", "toolinput", "input", "params", "parameters")
BODY_KEYS = ("body", "data", "json", "payload", "form", "formdata", "postdata", "content", "files")

EVERYWHERE = (
    # what models say about a call, and what hosts number it with; none of it changes what runs
    "description explanation reason summary title justification intent thought thinking rationale purpose comment note"
    " toolcallid tooluseid callid toolsummary toolaction toolexplanation waitforprevioustools taskprogress securityrisk"
    " requiresapproval risklevel risklevelreason safetoautorun instruction instructions userfacing displayname"
    " timeout timeoutms timeoutseconds timeoutsec metadata meta"
)

LINES = (
    "offset limit pages startline endline startlineoneindexed endlineoneindexedinclusive startlineonebased"
    " endlineonebased shouldreadentirefile viewrange readrange linerange lineranges lines line column character"
    " forcereadlargefiles encoding maxlines maxlength maxchars maxbytes numlines includesummaryofotherlines mode"
    " indentation detail format showlinenumbers cellid operation symbolname symbol nodepath nodepaths startindex length"
)
TEXTS = (
    "content contents filetext text newcontent codecontent code codeedit codemarkdownlanguage targetlintererrorids"
    " oldstring newstring oldstr newstr oldtext newtext replaceall expectedreplacements allowmultiple aiproposedcontent"
    " modifiedbyuser old new search replace insertline insertafter line linenumber position linecount diff append"
    " overwrite encoding emptyfile mode useregex ignorecase startline endline complexity language languages mimetype"
    " targetcontent replacementcontent blocking viewrange occurrence replacement allowcreate useexpectedreplacements"
    " editmode cellid celltype cellnumber cellindex newsource isnewcell cellidx celllanguage newcode edittype start"
)
FINDS = (
    "query regex regexp outputmode a b c n i o headlimit multiline type types casesensitive context contextlines before"
    " after respectgitignore respectgeminiignore filefilteringoptions exclude excludepattern excludes ignore namesonly"
    " maxmatchesperfile totalmaxmatches fixedstrings noignore maxresults limit offset literal isregexp isregex"
    " caseinsensitive matchperline beforecontext aftercontext maxdepth depth mindepth recursive extensions fullpath"
    " explanation searchterm pagetoken maxfiles sort sortby numresults topk includehidden hidden showhidden wholeword"
    " includeignored includeignoredfiles level showsizes dirsonly filesonly usedefaultexcludes searchonlyprs"
)

HARMLESS: Mapping[str, str] = {
    "shell": "runinbackground isbackground background blocking blockuntilms waitmsbeforeasync yieldtimems login tty"
    " maxoutputtokens maxoutputlength sessionid shellid mode initialwait fireandforget async detach"
    " restart goal delay persistent type maxlinecount requiresuserapproval truncate isinteractive",
    "stdin": "sessionid shellid bashid yieldtimems maxoutputtokens delay terminalid processid id waitms",
    "code": "language restart resettimer reset sessionid kernel runtime cellid notebookid lang",
    "read": LINES,
    "read_many": LINES + " " + FINDS,
    "language_server": LINES + " query",
    "write": TEXTS,
    "edit": TEXTS,
    "multi_edit": TEXTS,
    "editor": TEXTS,
    "notebook": TEXTS,
    "glob": FINDS,
    "grep": FINDS + " pattern patterns searchquery keywords queries includehiddenfiles",
    "list": FINDS + " pattern",
    "patch": "",
    "delete": "recursive force confirm missingok ignoremissing",
    "move": "overwrite force",
    "copy": "overwrite force recursive",
    "make_folder": "recursive parents existok",
    "fetch": "prompt format maxlength maxchars raw startindex extract objective position query accept output"
    " markdown selector question extractmode forcerefresh forcerefetch",
    "web_search": "query queries searchqueries searchquery alloweddomains blockeddomains maxresults numresults"
    " objective domain domains count topk searchterm q type freshness language country numberofresults livecrawl"
    " searchcontextsize contextmaxcharacters recency category text externalwebaccess",
    "mcp": "id toolid serveridentifier",
    "mcp_resource": "cursor",
    "mcp_prompt": "",
    "agent": "prompt systemprompt message task tasks model runinbackground resume subject items isolation name maxturns"
    " todos objective context question query taskid background forkcontext reasoningeffort"
    " agentid nickname teamname role type",
    "skill": "args arguments name skill command skillname",
    "browser": "action coordinate text selector key size direction amount scrollx scrolly button tabid index pageid",
    "memory": "fact scope memory id corpusnames usertriggered tags category key value content action command path"
    " filetext oldstr newstr insertline insertindex viewrange global data query subject citations name isglobal"
    " titlequery contextid existingknowledgetoupdate",
    "batch": "",
    "note": "todos todo plan planfilename questions question options todolist thoughts nextthoughtneeded merge"
    " thoughtnumber totalthoughts isrevision revisesthought branchfromthought branchid needsmorethoughts"
    " bashid shellid taskid filter block wait delay sessionid sessionids agentid agentids agenttype targets ids query"
    " maxresults subject activeform status owner addblocks addblockedby blocks blockedby multiselect answers id"
    " followup followups result response needsmoreexploration tasklist context items choices allowfreeform header"
    " strategicintent answer output expression timezone commandid outputpriority outputcharactercount target since"
    " operation rulenames message messages contents content overview name success progress topic spec level"
    " completed inprogress pending priority background chat",
}
"""Fields that change nothing about what a family does, beyond `EVERYWHERE`; split only for the family that is read."""

LISTS = frozenset(
    "exclude excludes excludepattern ignore query queries searchquery searchqueries pattern patterns keywords"
    " alloweddomains blockeddomains domain domains extensions types tags languages newsource".split()
)
"""Harmless fields that hold lists of texts by design: excluding `.env` does not touch it."""


def harmless(family: str) -> frozenset[str]:
    """The folded names of the fields that a call of this family may have without a word."""
    return frozenset((EVERYWHERE + " " + HARMLESS[family]).split())
