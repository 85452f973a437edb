// List the properties that scripts use without a type and that no declaration names: not the browser's, the language's or
// our own. Prints them as JSON, a property of a `dataset` as its attribute: see test_property_names.py.
import ts from "typescript";

const names = process.argv.slice(2);
const options = { allowJs: true, checkJs: true, noEmit: true, target: ts.ScriptTarget.ES2024, types: [] };
const lib = ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"];
const program = ts.createProgram(names, { ...options, lib });
const checker = program.getTypeChecker();
const declared = new Set();
const unknown = [];
let count = 0;

const isAny = (node) => Boolean(checker.getTypeAtLocation(node).flags & ts.TypeFlags.Any);
const isData = (node) => Boolean(node) && /\bdataset(?: \?\? \{\})?$/.test(node.getText());
const isAssignment = (node) => ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;

function declare(node) {
  const isMember = ts.isTypeElement(node) || ts.isClassElement(node) || ts.isObjectLiteralElement(node) || ts.isVariableDeclaration(node);
  if (isMember && node.name && "text" in node.name) declared.add(node.name.text);
  const isOwn = ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword;
  if (isOwn && isAssignment(node.parent) && node.parent.left === node) declared.add(node.name.text);
  ts.forEachChild(node, declare);
}

function read(node) {
  if (ts.isPropertyAccessExpression(node) && (isData(node.expression) || isAny(node.expression))) {
    look(node.name, isData(node.expression));
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken) {
    const source = node.parent.parent.initializer;
    if (isData(source) || isAny(node.parent)) look(node.propertyName ?? node.name, isData(source));
  }
  ts.forEachChild(node, read);
}

function look(name, isAttribute) {
  count += 1;
  if (!isAttribute && declared.has(name.text)) return;
  const file = name.getSourceFile();
  const place = `${file.fileName.split("/").at(-1)}:${file.getLineAndCharacterOfPosition(name.getStart()).line + 1}`;
  const attribute = `data-${name.text.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`;
  unknown.push([place, isAttribute ? attribute : name.text]);
}

program.getSourceFiles().forEach(declare);
for (const file of program.getSourceFiles()) if (names.includes(file.fileName)) read(file);
console.log(JSON.stringify({ count, unknown }));
