// Fails when a first visit would load more JavaScript than promised. Reads the manifest of the last build.
import { readFileSync, statSync } from 'node:fs';

const KB = 1000;
const TOTAL = 170 * KB; // all scripts of a first load of any public route, gzipped
const OWN = 70 * KB; // of that, what is not a vendor's
const manifest = JSON.parse(readFileSync('dist/manifest.json', 'utf8'));
const gz = (file) => statSync(`dist${file}.gz`).size;
const sum = (files) => files.reduce((n, f) => n + gz(f), 0);

let failed = false;
for (const [name, { js }] of Object.entries(manifest.routes)) {
  // No public route.
  if (name.startsWith('admin')) continue;
  const all = [manifest.theme, ...manifest.entry.js, ...js];
  const total = sum(all);
  const own = sum(all.filter((f) => !f.includes('/vendor.')));
  const over = total > TOTAL || own > OWN;
  failed ||= over;
  console.log(`${over ? 'OVER' : 'ok  '} ${name.padEnd(20)} total ${(total / KB).toFixed(1).padStart(6)} kB   own ${(own / KB).toFixed(1).padStart(5)} kB`);
}
console.log(`css ${(sum(manifest.entry.css) / KB).toFixed(1)} kB gzipped; limits: total ${TOTAL / KB} kB, own ${OWN / KB} kB`);
process.exit(failed ? 1 : 0);
