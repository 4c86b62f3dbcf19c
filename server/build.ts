// `node server/build.ts`: builds what `npm start` runs, into server/dist (decision 176).
import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import manifest from './package.json' with { type: 'json' }

const out = join(import.meta.dirname, 'dist')

/** These look for files beside themselves, programs that they start, pages that they send; or need one that does. */
const NOT_BUILT_IN = [
  '@cantoo/pdf-lib',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@node-rs/argon2',
  'pdfjs-dist',
  'pino',
]

const LOOKS_BESIDE_ITSELF = /\b__(?:dir|file)name\b|\bimport\.meta\.\w|\brequire\.resolve\b|\bnew Worker\(/
// Its Worker is a class of its own.
const LOOKS_LIKE_IT = /pg-boss[\\/]dist[\\/]manager\.js$/

/** What a start does not need stays a package, and is read when it is first wanted. */
function withoutWhatIsWantedLater(): Plugin {
  return {
    name: 'without-what-is-wanted-later',
    resolveId: (source, _importer, { kind }) =>
      kind === 'dynamic-import' && !/^(?:\.|@waybill\/)/.test(source) ? { id: source, external: true } : null,
  }
}

/** Our files find what lies beside their sources: workers, templates, texts. */
function addressesOfSources(): Plugin {
  return {
    name: 'addresses-of-sources',
    transform(code, id) {
      if (id.includes('node_modules')) {
        if (!LOOKS_BESIDE_ITSELF.test(code) || LOOKS_LIKE_IT.test(id)) return null
        throw new Error(`${id} looks for files beside itself: add its package to NOT_BUILT_IN in server/build.ts`)
      }
      const addressOf = (path: string) => `new URL('${relative(out, path).replaceAll(sep, '/')}', import.meta.url)`
      const changed = code.replace(/\bimport\.meta\.(url|dirname)\b/g, (_, kind) =>
        kind === 'url'
          ? `${addressOf(id)}.href`
          : `process.getBuiltinModule('node:url').fileURLToPath(${addressOf(dirname(id))})`,
      )
      return changed === code ? null : { code: changed, map: null }
    },
  }
}

const build = await rolldown({
  input: { main: join(import.meta.dirname, 'src/main.ts') },
  platform: 'node',
  external: NOT_BUILT_IN.map((name) => new RegExp(`^${name}(?:/|$)`)),
  plugins: [withoutWhatIsWantedLater(), addressesOfSources()],
})
const { output } = await build.write({
  dir: out,
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].js',
  // Stacks in the log name lines of the sources (src/kit/context/source-lines.ts).
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
})
await build.close()

const built = new Set(output.map(({ fileName }) => fileName))
const packageOf = (source: string) => source.split('/', source.startsWith('@') ? 2 : 1).join('/')
for (const source of output.flatMap((one) => (one.type === 'chunk' ? [...one.imports, ...one.dynamicImports] : []))) {
  if (built.has(source) || isBuiltin(source) || packageOf(source) in manifest.dependencies) continue
  throw new Error(`${source} is not among the server’s own packages: it may lie where the build does not find it`)
}
