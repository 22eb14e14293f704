// Writes into sw.js which files belong to this build (`APP_FILES`): scripts, styles and fonts, all but the back office's,
// which needs the server anyway, and the reader's further faces, which are fetched when they are chosen.
const WORKER = 'sw.js';
const LEFT_OUT = [/^assets\/(route-admin|admin-|back-office|rich-text)/, /^assets\/opendyslexic-/];

export class ServiceWorkerPlugin {
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('ServiceWorkerPlugin', (compilation) => {
      // The names hold their hashes by now, and nothing is compressed yet.
      compilation.hooks.processAssets.tap({ name: 'ServiceWorkerPlugin', stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 1 }, () => {
        const files = Object.keys(compilation.assets)
          .filter((name) => /^assets\/.*\.(js|css|woff2)$/.test(name) && !LEFT_OUT.some((pattern) => pattern.test(name)))
          .map((name) => `/${name}`)
          .sort();
        const worker = compilation.getAsset(WORKER);
        if (!worker) throw new Error(`The build has no ${WORKER}.`);
        compilation.updateAsset(WORKER, new sources.RawSource(`const APP_FILES=${JSON.stringify(files)};\n${worker.source.source()}`));
      });
    });
  }
}
