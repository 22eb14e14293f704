// Prints every text of the web app that a person may read, as JSON: `[{ path, line, text }]`. `cargo xtask texts` writes them into its file.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

// Attributes and properties that hold names for machines.
const MACHINE = new Set(
  'as autoComplete class className d data-app download fill form href htmlFor id inputMode key kind lang method mode name pattern preload queryKey rel role sizes src srcSet stroke style target to transform type value variant viewBox'.split(
    ' ',
  ),
);
// Calls whose strings nobody sees.
const SILENT = /^(console\.|document\.querySelector|.*\.(matchMedia|querySelector|querySelectorAll|closest|matches|getPropertyValue)$|matchMedia$|import$)/;
// A list of classes: `button button--primary`. A call of the API: `GET /api/books`.
const CLASSES = /(^|\s)[\w-]+(__|--)[\w-]*(\s|$)/;
const API_CALL = /^[A-Z]+ \/api\//;

/** Whether a person could read it: words, or one capitalized word. Words of a machine have none of both. */
export function readsAsText(text) {
  const words = text.replace(/\{…\}/g, ' ').trim();
  if (!/\p{L}/u.test(words) || CLASSES.test(words) || API_CALL.test(words) || /^(M|m)\d/.test(words)) return false;
  if (/^[./#@:\w-]+\/[^ ]*$/.test(words)) return false;
  return /\p{L}[\p{L}’'.,:;!?…]*\s+\S*\p{L}/u.test(words) || /^\p{Lu}\p{Ll}+[.!?…:]*$/u.test(words);
}

const squeeze = (text) => text.replace(/\s+/g, ' ').trim();

/** The texts of one source. A JSX element with its inline elements is one text, with `{…}` for each expression. */
export function textsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const found = [];
  const add = (node, text) => {
    const plain = squeeze(text);
    if (!readsAsText(plain)) return;
    found.push({ path, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text: plain });
  };
  const isText = (child) => ts.isJsxText(child) && /\p{L}/u.test(child.text);
  const flat = (children) =>
    children
      .map((child) => {
        if (ts.isJsxText(child)) return child.text.includes('\n') ? child.text.replace(/\s*\n\s*/g, /\S/.test(child.text) ? ' ' : '') : child.text;
        if (ts.isJsxExpression(child)) {
          const inner = child.expression;
          return inner && ts.isStringLiteralLike(inner) ? inner.text : inner ? '{…}' : '';
        }
        if (ts.isJsxElement(child)) return flat(child.children);
        return '{…}';
      })
      .join('');
  // Elements whose text already stands in that of the element around them.
  const told = new Set();
  const tell = (children) => {
    for (const child of children) {
      if (ts.isJsxElement(child)) {
        told.add(child);
        tell(child.children);
      }
    }
  };
  const nameOf = (name) => (ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '');
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    if (ts.isCaseClause(node)) return node.statements.forEach(visit);
    if (ts.isJsxAttribute(node) && MACHINE.has(node.name.getText(file))) {
      // An expression in it may choose a text all the same, but not a plain string.
      if (node.initializer && ts.isJsxExpression(node.initializer) && node.name.getText(file) === 'value') ts.forEachChild(node, visit);
      return;
    }
    if (ts.isPropertyAssignment(node) && MACHINE.has(nameOf(node.name)) && !ts.isObjectLiteralExpression(node.initializer)) {
      if (nameOf(node.name) !== 'name' && nameOf(node.name) !== 'value') return;
    }
    if (ts.isBinaryExpression(node) && [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(node.operatorToken.kind)) {
      for (const side of [node.left, node.right]) if (!ts.isStringLiteralLike(side)) visit(side);
      return;
    }
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) return visit(node.expression);
    if (ts.isCallExpression(node) && SILENT.test(node.expression.getText(file))) return;
    if ((ts.isJsxElement(node) || ts.isJsxFragment(node)) && !told.has(node) && node.children.some(isText)) {
      add(node.children.find(isText), flat(node.children));
      tell(node.children);
    }
    if (ts.isStringLiteralLike(node)) add(node, node.text);
    if (ts.isTemplateExpression(node)) add(node, node.head.text + node.templateSpans.map((span) => `{…}${span.literal.text}`).join(''));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

if (process.argv[1]?.endsWith('texts.mjs')) {
  const files = readdirSync('src', { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|gen|d)\.tsx?$/.test(name))
    .sort();
  const texts = files.flatMap((name) => textsOf(`frontend/src/${name}`, readFileSync(`src/${name}`, 'utf8')));
  process.stdout.write(JSON.stringify(texts));
}
