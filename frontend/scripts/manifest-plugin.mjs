// Writes dist/manifest.json, the server's list of what to link in each page.
//
// {
//   "entry":  { "js": ["/assets/vendor.….js", "/assets/main.….js"], "css": ["/assets/main.….css"] },
//   "routes": { "front": { "js": ["/assets/route-front.….js"], "css": [] }, … },
//   "fonts":  ["/assets/literata….woff2", …],   // the ones worth a preload, in order
//   "head":   "/assets/head.….js"                // blocking, in <head>, before the style sheets' first paint
// }
//
// A route's chunk is named `route-<name>` by its import() in src/app/routes.tsx or src/features/admin/routes.ts.

const PRELOADED = [/^assets\/literata-latin-opsz-normal\./, /^assets\/inter-latin-wght-normal\./];

export class ManifestPlugin {
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('ManifestPlugin', (compilation) => {
      // After REPORT-less stages: real content hashes are in the names by OPTIMIZE_TRANSFER's predecessor.
      compilation.hooks.processAssets.tap({ name: 'ManifestPlugin', stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 1 }, () => {
        const files = (all) => ({
          js: all.filter((f) => f.endsWith('.js')).map((f) => `/${f}`),
          css: all.filter((f) => f.endsWith('.css')).map((f) => `/${f}`),
        });
        const entry = files(compilation.entrypoints.get('main').getFiles());
        const known = new Set([...entry.js, ...entry.css]);
        const routes = {};
        for (const group of compilation.chunkGroups) {
          if (!group.name?.startsWith('route-')) continue;
          const own = files(group.getFiles());
          routes[group.name.slice('route-'.length)] = {
            js: own.js.filter((f) => !known.has(f)),
            css: own.css.filter((f) => !known.has(f)),
          };
        }
        const assets = Object.keys(compilation.assets);
        const manifest = {
          entry,
          routes: Object.fromEntries(Object.entries(routes).sort(([a], [b]) => a.localeCompare(b))),
          fonts: PRELOADED.map((p) => assets.find((a) => p.test(a)))
            .filter(Boolean)
            .map((f) => `/${f}`),
          head: `/${compilation.entrypoints
            .get('head')
            .getFiles()
            .find((f) => f.endsWith('.js'))}`,
        };
        compilation.emitAsset('manifest.json', new sources.RawSource(`${JSON.stringify(manifest, null, 2)}\n`));
      });
    });
  }
}
