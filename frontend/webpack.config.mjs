// The build. The server owns the HTML: this writes hashed files, a manifest that names them
// (`dist/manifest.json`), and a .br and .gz beside everything that compresses.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import { CompressPlugin } from './scripts/compress-plugin.mjs';
import { ManifestPlugin } from './scripts/manifest-plugin.mjs';
import { ServiceWorkerPlugin } from './scripts/service-worker-plugin.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));

/** The back office's chunks: what they have in common with the site's pages is not counted for these. */
const isBackOffice = (chunk) => /^(route-admin|admin-)/.test(chunk.name ?? '');

/** The feature that a module belongs to. */
const featureOf = (module) => /[\\/]src[\\/]features[\\/]([\w-]+)[\\/]/.exec(module.nameForCondition() ?? '')?.[1];

const ofTheSite = (chunk) => !chunk.canBeInitial() && !isBackOffice(chunk);

export default (_env, argv) => {
  const production = argv.mode === 'production';
  return {
    mode: production ? 'production' : 'development',
    target: ['web', 'es2022'],
    context: root,
    entry: {
      main: './src/app/main.tsx',
      head: { import: './src/app/head.ts', runtime: false },
      // Its name has no hash: browsers know it by its URL.
      sw: { import: './src/sw/sw.ts', runtime: false, filename: 'sw.js' },
    },
    output: {
      path: path.join(root, 'dist'),
      publicPath: '/',
      filename: production ? 'assets/[name].[contenthash:8].js' : 'assets/[name].js',
      chunkFilename: production ? 'assets/[name].[contenthash:8].js' : 'assets/[name].js',
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      clean: true,
      hashFunction: 'xxhash64',
    },
    devtool: production ? false : 'source-map',
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: { '@': path.join(root, 'src') },
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          loader: 'swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic', development: !production } },
              target: 'es2022',
            },
          },
        },
        { test: /\.css$/, use: [MiniCssExtractPlugin.loader, { loader: 'css-loader', options: { importLoaders: 0 } }] },
        {
          test: /\.woff2$/,
          type: 'asset/resource',
          use: path.join(root, 'scripts/subset-font-loader.mjs'),
          oneOf: [{ resourceQuery: /characters=further/, generator: { filename: 'assets/[name]-further.[contenthash:8][ext]' } }, {}],
        },
        { test: /\.(svg|png)$/, type: 'asset/resource' },
      ],
    },
    optimization: {
      moduleIds: 'deterministic',
      chunkIds: 'named',
      minimizer: ['...', new CssMinimizerPlugin()],
      splitChunks: {
        // Routes stay whole, vendors change rarely: one long-lived file for them. The script of the head and the service worker
        // must stand alone.
        chunks: (chunk) => chunk.name !== 'head' && chunk.name !== 'sw',
        cacheGroups: {
          default: false,
          defaultVendors: false,
          vendor: {
            test: /[\\/]node_modules[\\/]/,
            name: 'vendor',
            chunks: (chunk) => chunk.name === 'main',
            enforce: true,
          },
          // What the pages with forms share, apart: those who only read never load it.
          forms: {
            name: 'forms',
            test: (module) =>
              module.type?.startsWith('javascript') &&
              /[\\/]src[\\/](features[\\/]identity|ui[\\/](Field|Form|useForm)|shared[\\/]session[\\/](ProviderMark|signInProviders|webauthn))\b/.test(
                module.nameForCondition() ?? '',
              ),
            minChunks: 3,
            chunks: ofTheSite,
            enforce: true,
            priority: 2,
          },
          // What the pages of one feature share, apart: no other feature's page needs it.
          feature: {
            name: (module) => `feature-${featureOf(module)}`,
            test: (module) => module.type?.startsWith('javascript') && featureOf(module) !== undefined,
            minChunks: 3,
            chunks: ofTheSite,
            enforce: true,
            priority: 1,
          },
          // What pages of long lists share, apart: readers and checkouts never load it.
          lists: {
            name: 'lists',
            test: (module) =>
              module.type?.startsWith('javascript') &&
              /[\\/]src[\\/](ui[\\/]LoadMore|shared[\\/]catalogue[\\/]pagedLists|lib[\\/]useSearchText)\./.test(module.nameForCondition() ?? ''),
            minChunks: 3,
            chunks: ofTheSite,
            enforce: true,
            priority: 1,
          },
          // Reading and listening need it at once, every other page after its first load.
          positionSync: {
            name: 'position-sync',
            test: /[\\/]src[\\/]shared[\\/]positions[\\/](positionSync|places)\.ts$/,
            chunks: ofTheSite,
            enforce: true,
            priority: 1,
          },
          // The rows of the account's pages and of the settings, what is set there, and what else these pages share.
          settings: {
            name: 'settings',
            test: (module) =>
              module.type?.startsWith('javascript') &&
              /[\\/]src[\\/](lib[\\/]ago|shared[\\/](account[\\/](Setting|Section)|session[\\/](FreshProof|security)|referral[\\/]CopyField|study[\\/](settings|dailyMax)))\./.test(
                module.nameForCondition() ?? '',
              ),
            minChunks: 2,
            chunks: ofTheSite,
            enforce: true,
            priority: 1,
          },
          // What makes review cards, apart from the highlights: it is loaded when one is made.
          studyCards: {
            name: 'study-cards',
            test: (module) =>
              module.type?.startsWith('javascript') &&
              /[\\/]src[\\/]shared[\\/]study[\\/](addCards|cloze|clozeParts|HideWords|highlights[\\/]sentences)\./.test(module.nameForCondition() ?? ''),
            minChunks: 2,
            chunks: ofTheSite,
            enforce: true,
            priority: 2,
          },
          // The goal and the reading time, which every page counts after its first load, and the days of the calendar.
          readingTime: {
            name: 'reading-time',
            test: /[\\/]src[\\/]shared[\\/](goal[\\/]goal|readingTime[\\/](countedTime|timeStorage)|study[\\/]days)\.ts$/,
            minChunks: 2,
            chunks: ofTheSite,
            enforce: true,
            priority: 2,
          },
          // The form of commitments, apart: Home, My Progress and a book's end load it when there is one to show.
          commitments: {
            name: 'commitment-form',
            test: (module) =>
              module.type?.startsWith('javascript') &&
              /[\\/]src[\\/]shared[\\/]study[\\/]commitments[\\/](CommitmentForm|useCommitments|commitmentChanges|askings)\./.test(
                module.nameForCondition() ?? '',
              ),
            minChunks: 2,
            chunks: ofTheSite,
            enforce: true,
            priority: 2,
          },
          // What changes lists of books, apart from the highlights: their pages load it, and a press on 'Add to list'.
          readingLists: {
            name: 'reading-lists',
            test: (module) =>
              module.type?.startsWith('javascript') &&
              /[\\/](src[\\/]shared[\\/]study[\\/]lists[\\/](?!list\.|AddToListButton\.)|node_modules[\\/]fractional-indexing[\\/])/.test(
                module.nameForCondition() ?? '',
              ),
            minChunks: 2,
            chunks: ofTheSite,
            enforce: true,
            priority: 2,
          },
          // What is completed of a session: read, heard, and sent after the first load of the next page.
          completedIdeas: {
            name: 'completed-ideas',
            test: /[\\/]src[\\/]shared[\\/]study[\\/]completedIdeas\.ts$/,
            chunks: ofTheSite,
            enforce: true,
            priority: 2,
          },
          // The highlights, apart: the reader loads them when there are some. Not what loads them.
          study: {
            name: 'study',
            test: (module) =>
              module.type?.startsWith('javascript') &&
              /[\\/]src[\\/]shared[\\/]study[\\/](?!studyFlags|session\.|unsentIdeas\.|colors\.|settings\.|dailyMax\.|sourceText\.|commitments[\\/]commitmentFlags\.|lists[\\/]AddToListButton\.|highlights[\\/](Highlights|highlightedText|scrollToMark)\.)/.test(
                module.nameForCondition() ?? '',
              ),
            minChunks: 2,
            chunks: ofTheSite,
            enforce: true,
            priority: 1,
          },
          // What the back office's pages share, apart: no member loads it.
          backOffice: {
            name: 'back-office',
            test: (module) => module.type?.startsWith('javascript'),
            minChunks: 2,
            chunks: isBackOffice,
            enforce: true,
            priority: 2,
          },
          // What most routes share is one file; styles stay with their route, so that a page's own are never missing.
          // What the few routes with texts and sessions share is small, and stays with each of them.
          common: {
            name: 'common',
            test: (module) =>
              module.type?.startsWith('javascript') &&
              !/[\\/]src[\\/](shared[\\/](reader[\\/]|listening[\\/]followAlong\.|study[\\/](session|unsentIdeas)\.)|ui[\\/]Prose\.)/.test(
                module.nameForCondition() ?? '',
              ),
            minChunks: 3,
            chunks: ofTheSite,
            enforce: true,
          },
        },
      },
    },
    performance: { hints: false },
    plugins: [
      new MiniCssExtractPlugin({
        filename: production ? 'assets/[name].[contenthash:8].css' : 'assets/[name].css',
        chunkFilename: production ? 'assets/[name].[contenthash:8].css' : 'assets/[name].css',
      }),
      new ManifestPlugin(),
      new ServiceWorkerPlugin(),
      ...(production ? [new CompressPlugin()] : []),
    ],
    stats: 'errors-warnings',
  };
};
