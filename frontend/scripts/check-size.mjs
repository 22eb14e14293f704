// Fails when a first visit would load more JavaScript than promised, or more than promised before its first paint. Reads the
// manifest of the last build.
import { readFileSync, statSync } from 'node:fs';

const KB = 1000;
const TOTAL = 170 * KB; // all scripts of a first load of any public route, gzipped
const OWN = 70 * KB; // of that, what is not a vendor's
const FIRST = 80 * KB; // what stands between a page's HTML and its text in the right face: styles, fonts, the script of the head
const manifest = JSON.parse(readFileSync('dist/manifest.json', 'utf8'));
const gz = (file) => statSync(`dist${file}.gz`).size;
const sum = (files) => files.reduce((n, f) => n + gz(f), 0);

let failed = false;
const fonts = manifest.fonts.reduce((n, f) => n + statSync(`dist${f}`).size, 0);
for (const [name, { js, css }] of Object.entries(manifest.routes)) {
  // No public route.
  if (name.startsWith('admin')) continue;
  const all = [manifest.head, ...manifest.entry.js, ...js];
  const total = sum(all);
  const own = sum(all.filter((f) => !f.includes('/vendor.')));
  const first = fonts + sum([manifest.head, ...manifest.entry.css, ...css]);
  const over = total > TOTAL || own > OWN || first > FIRST;
  failed ||= over;
  console.log(
    `${over ? 'OVER' : 'ok  '} ${name.padEnd(20)} total ${(total / KB).toFixed(1).padStart(6)} kB   own ${(own / KB).toFixed(1).padStart(5)} kB   before the paint ${(first / KB).toFixed(1)} kB`,
  );
}
console.log(
  `css ${(sum(manifest.entry.css) / KB).toFixed(1)} kB gzipped; limits: total ${TOTAL / KB} kB, own ${OWN / KB} kB, before the paint ${FIRST / KB} kB`,
);
process.exit(failed ? 1 : 0);
