// CSV files (RFC 4180): written for downloads, read for imports.

/** Spreadsheets would run a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

const cell = (text: string): string => {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The text of a CSV file, with a byte order mark so that spreadsheets detect UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]): string => `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;

/** The rows of a CSV file without empty lines. The separator is a comma, semicolon or tab, detected in the first line. */
export function parseCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '');
  const head = source.slice(0, source.search(/[\r\n]|$/));
  const separator = [',', ';', '\t'].find((one) => head.includes(one)) ?? ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let value = '';
  let quoted = false;
  const endRow = () => {
    row.push(value);
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    row = [];
    value = '';
  };
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] ?? '';
    if (quoted) {
      if (char !== '"') value += char;
      else if (source[at + 1] === '"') {
        value += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && value === '') quoted = true;
    else if (char === separator) {
      row.push(value);
      value = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && source[at + 1] === '\n') at += 1;
      endRow();
    } else value += char;
  }
  if (value !== '' || row.length > 0) endRow();
  return rows;
}
