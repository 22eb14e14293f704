// Tables: the server keeps none, so a table of data becomes a list of its rows, and a table for layout the text of its cells.
import { created, hasBlock, isBold, isElement, textOf, textsOf } from '@/ui/records/paste/dom';

/** The most columns that a cell spans; more is no table of a text. */
const MAX_SPAN = 50;

type Row = readonly (HTMLTableCellElement | null)[];

/** The table's cells by row and column; a cell that spans several stands in each. Rows and columns without text are left out. */
function gridOf(table: HTMLTableElement): Row[] {
  const grid: (HTMLTableCellElement | null)[][] = [...table.rows].map(() => []);
  for (const [y, row] of [...table.rows].entries()) {
    let x = 0;
    for (const cell of row.cells) {
      while (grid[y]?.[x]) x += 1;
      const end = x + Math.min(cell.colSpan, MAX_SPAN);
      for (const line of grid.slice(y, y + Math.max(cell.rowSpan, 1))) for (let column = x; column < end; column += 1) line[column] = cell;
      x = end;
    }
  }
  const hasText = (cell: HTMLTableCellElement | null | undefined) => !!cell && textOf(cell) !== '';
  const rows = grid.filter((row) => row.some(hasText));
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = [...Array(width).keys()].filter((x) => rows.some((row) => hasText(row[x])));
  return rows.map((row) => columns.map((x) => row[x] ?? null));
}

const isNumber = (cell: HTMLTableCellElement | null) => cell !== null && /^[^\p{L}]*\d[^\p{L}]*$/u.test(textOf(cell));

function isBoldCell(cell: HTMLTableCellElement | null): boolean {
  if (!cell || textOf(cell) === '') return true;
  const bold = [...cell.querySelectorAll('strong, b')].map(textOf).join(' ');
  return isBold(cell) || bold === textOf(cell);
}

/** How many rows at the top are headers: rows of `th`, else a first row in bold type, or of words above a column of numbers. */
function headerRows(grid: readonly Row[]): number {
  const marked = grid.findIndex((row) => row.some((cell) => cell?.localName === 'td'));
  if (marked !== 0) return Math.max(marked, 0);
  const [first = [], ...rows] = grid;
  const isPlain = (row: Row) => row.every(isBoldCell);
  if (isPlain(first)) return rows.every(isPlain) ? 0 : 1;
  const isHeader = rows.length > 1 && !first.some((cell) => cell?.localName === 'th' || isNumber(cell));
  return isHeader && first.some((_, x) => rows.every((row) => isNumber(row[x] ?? null))) ? 1 : 0;
}

/** A copy of a cell's content as inline content: a cell that spans several rows stands in the line of each. */
function inlineOf(cell: Element): (Node | string)[] {
  return [...cell.childNodes].flatMap((node) => {
    if (isElement(node) && node.localName === 'br') return [' '];
    return isElement(node) && node.localName === 'p' ? [' ', ...inlineOf(node)] : [node.cloneNode(true)];
  });
}

/** The same without spaces at its ends. */
function lineOf(cell: Element): Iterable<Node> {
  const line = created(cell.ownerDocument, 'span', inlineOf(cell));
  const texts = textsOf(line);
  for (const text of texts) if ((text.data = text.data.trimStart()) !== '') break;
  for (const text of texts.reverse()) if ((text.data = text.data.trimEnd()) !== '') break;
  return [...line.childNodes];
}

/** A row as a line: 'Header: value; Header: value'. A first cell without a header is the row's name. */
function rowLine(row: Row, headers: readonly string[]): (Node | string)[] {
  const line: (Node | string)[] = [];
  let separator = '';
  for (const [x, cell] of row.entries()) {
    if (!cell || textOf(cell) === '' || cell === row[x - 1]) continue;
    const header = headers[x] ?? '';
    line.push(separator, header === '' ? '' : `${header}: `, ...lineOf(cell));
    if (headers.length > 0) separator = x === 0 && header === '' ? ' – ' : '; ';
    else separator = x === 0 && (row.length === 2 || cell.localName === 'th') ? ': ' : '; ';
  }
  return line;
}

const isData = (table: Element, grid: readonly Row[]) =>
  !/^(presentation|none)$/.test(table.getAttribute('role') ?? '') &&
  grid.length > 1 &&
  (grid[0]?.length ?? 0) > 1 &&
  grid.flat().every((cell) => !cell || (!cell.querySelector('ul, ol, h1, h2, h3, h4, h5, h6, blockquote, hr') && cell.querySelectorAll('p').length < 4));

const paragraphOf = (element: Element) => created(element.ownerDocument, 'p', lineOf(element));

function convert(table: HTMLTableElement): Element[] {
  const grid = gridOf(table);
  // Rows of one cell at the top are titles.
  const start = grid.findIndex((row) => new Set(row).size > 1);
  const rows = grid.slice(Math.max(start, 0));
  if (!isData(table, rows)) {
    const cells = [...new Set(grid.flat())].filter((cell) => cell !== null);
    return cells.flatMap((cell) => (hasBlock(cell) ? [...cell.children] : [created(cell.ownerDocument, 'p', cell.childNodes)]));
  }
  const top = headerRows(rows);
  const names = rows.slice(0, top).map((row) => row.map((cell) => (cell ? textOf(cell).replace(/:$/, '') : '')));
  const headers = (names[0] ?? []).map((_, x) => [...new Set(names.map((row) => row[x]))].join(' ').trim());
  const titles = grid.slice(0, start).flatMap(([cell]) => (cell ? [paragraphOf(cell)] : []));
  const items = rows.slice(top).map((row) => created(table.ownerDocument, 'li', [created(table.ownerDocument, 'p', rowLine(row, headers))]));
  return [...titles, created(table.ownerDocument, 'ul', items)];
}

/** Replaces the tables of a document, the inner ones first. */
export function convertTables(body: Element): void {
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    const caption = table.caption && textOf(table.caption) !== '' ? [paragraphOf(table.caption)] : [];
    table.replaceWith(...caption, ...convert(table));
  }
}
