"""Branch coverage of Jinja templates: compiling a template lists its branches, and rendering marks them."""

from typing import Any, NamedTuple

from jinja2 import nodes
from jinja2.compiler import CodeGenerator
from jinja2.visitor import NodeTransformer


class Branch(NamedTuple):
    """A branch of a template."""

    template: str
    number: int
    """Its place among the template's branches."""
    line: int
    what: str
    """The tag's kind and the words of its condition, and which side of it the branch is: `if each.key: true`."""

    def __str__(self) -> str:
        return f"{self.template}, line {self.line}: {self.what}"


def list_words(condition: nodes.Node) -> str:
    """Return the names, attributes and constants of a condition, in order."""
    words = []
    for node in (condition, *condition.find_all(nodes.Node)):
        if isinstance(node, nodes.Name):
            words.append(node.name)
        elif isinstance(node, nodes.Getattr):
            words.append(f".{node.attr}")
        elif isinstance(node, (nodes.Filter, nodes.Test)):
            words.append(f"|{node.name}")
        elif isinstance(node, nodes.Const):
            words.append(repr(node.value))
        elif isinstance(node, (nodes.Not, nodes.And, nodes.Or)):
            words.append(type(node).__name__.lower())
    return " ".join(words)


class Branches:
    """The branches of the templates compiled with its `code_generator`, and the rendered ones among them."""

    def __init__(self) -> None:
        self.known_branches: set[Branch] = set()
        self.rendered_branches: set[Branch] = set()

    @property
    def missed_branches(self) -> list[Branch]:
        """The branches never rendered, in the order of the templates."""
        return sorted(self.known_branches - self.rendered_branches)

    def code_generator(self) -> type[CodeGenerator]:
        """Return a class for `jinja2.Environment.code_generator_class`."""
        branches = self

        class Generator(CodeGenerator):
            def visit_Template(self, node: nodes.Template, frame: Any = None) -> None:
                self.environment.globals["note_branch"] = branches._note
                super().visit_Template(_Marker(branches, self.name or "").visit(node), frame)

        return Generator

    def _note(self, branch: tuple[str, int, int, str], value: Any = "") -> Any:
        self.rendered_branches.add(Branch(*branch))
        return value


class _Marker(NodeTransformer):
    """Puts a call that notes the branch into every branch of a template."""

    def __init__(self, branches: Branches, template: str) -> None:
        self.branches = branches
        self.template = template
        self.count = 0

    def _call(self, line: int, what: str, *value: nodes.Expr) -> nodes.Call:
        self.count += 1
        branch = Branch(self.template, self.count, line, what)
        self.branches.known_branches.add(branch)
        name = nodes.Name("note_branch", "load", lineno=line)
        return nodes.Call(name, [nodes.Const(tuple(branch), lineno=line), *value], [], None, None, lineno=line)

    def _mark(self, body: list[nodes.Node], line: int, what: str) -> list[nodes.Node]:
        return [nodes.Output([self._call(line, what)], lineno=line), *body]

    def visit_If(self, node: nodes.If) -> nodes.If:
        words = list_words(node.test)
        for each in (node, *node.elif_):
            each.body = self._mark(each.body, each.lineno, f"if {list_words(each.test)}: true")
        if node.else_:
            node.else_ = self._mark(node.else_, node.lineno, f"if {words}: else")
        for each in node.elif_:
            self.generic_visit(each)
        node.test = self.visit(node.test)
        for body in (node.body, node.else_):
            body[:] = [self.visit(each) for each in body]
        return node

    def visit_CondExpr(self, node: nodes.CondExpr) -> nodes.CondExpr:
        words = list_words(node.test)
        self.generic_visit(node)
        node.expr1 = self._call(node.lineno, f"inline if {words}: true", node.expr1)
        if node.expr2:
            node.expr2 = self._call(node.lineno, f"inline if {words}: else", node.expr2)
        return node

    def visit_For(self, node: nodes.For) -> nodes.For:
        words = list_words(node.iter)
        self.generic_visit(node)
        node.body = self._mark(node.body, node.lineno, f"for {words}: loop")
        if node.else_:
            node.else_ = self._mark(node.else_, node.lineno, f"for {words}: without elements")
        return node

    def visit_Macro(self, node: nodes.Macro) -> nodes.Macro:
        self.generic_visit(node)
        node.body = self._mark(node.body, node.lineno, f"macro {node.name}")
        return node
