// `node server/build.ts`: builds what `npm start` runs, into server/dist (decision 176).
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { rolldown, type OutputChunk, type Plugin } from 'rolldown'
import manifest from './package.json' with { type: 'json' }

const out = join(import.meta.dirname, 'dist')

/** These look for files beside themselves, programs that they start, pages that they send; or need one that does. */
const NOT_BUILT_IN = [
  '@cantoo/pdf-lib',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@hyzyla/pdfium',
  '@myriaddreamin/typst-ts-node-compiler',
  '@myriaddreamin/typst-ts-web-compiler',
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

const builtName = (source: string) => `${basename(source, '.ts')}.js`

/** Our files find what lies beside their sources: templates, texts. What runs in a process of its own is built. */
function addressesOfSources(apart: Set<string>): Plugin {
  return {
    name: 'addresses-of-sources',
    transform(code, id) {
      if (id.includes('node_modules')) {
        if (!LOOKS_BESIDE_ITSELF.test(code) || LOOKS_LIKE_IT.test(id)) return null
        throw new Error(`${id} looks for files beside itself: add its package to NOT_BUILT_IN in server/build.ts`)
      }
      const addressOf = (path: string) => `new URL('${relative(out, path).replaceAll(sep, '/')}', import.meta.url)`
      const changed = code.replace(
        /\bnew URL\('(\.[^']+\.ts)', import\.meta\.url\)|\bimport\.meta\.(url|dirname)\b/g,
        (_, path: string | undefined, kind: string) => {
          if (path !== undefined) {
            const source = resolve(dirname(id), path)
            apart.add(source)
            return `new URL('./${builtName(source)}', import.meta.url)`
          }
          return kind === 'url'
            ? `${addressOf(id)}.href`
            : `process.getBuiltinModule('node:url').fileURLToPath(${addressOf(dirname(id))})`
        },
      )
      return changed === code ? null : { code: changed, map: null }
    },
  }
}

/** Builds these, and then what they start in a process of its own: it would read a hundred files before its work. */
async function built(sources: readonly string[], earlier: readonly string[] = []): Promise<OutputChunk[]> {
  const apart = new Set<string>()
  const build = await rolldown({
    input: [...sources],
    platform: 'node',
    external: NOT_BUILT_IN.map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [withoutWhatIsWantedLater(), addressesOfSources(apart)],
  })
  const { output } = await build.write({
    dir: out,
    cleanDir: earlier.length === 0,
    format: 'esm',
    entryFileNames: '[name].js',
    // Stacks in the log name lines of the sources (src/kit/context/source-lines.ts).
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
  })
  await build.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  const all = [...earlier, ...sources]
  const next = [...apart].filter((source) => !all.includes(source))
  const taken = [...all, ...next].map(builtName)
  const twice = taken.find((name, at) => taken.indexOf(name) < at)
  if (twice !== undefined) throw new Error(`${twice} would be built of two sources: rename one`)
  return next.length === 0 ? chunks : [...chunks, ...(await built(next, all))]
}

const chunks = await built([join(import.meta.dirname, 'src/main.ts')])
const names = new Set(chunks.map(({ fileName }) => fileName))
const packageOf = (source: string) => source.split('/', source.startsWith('@') ? 2 : 1).join('/')
for (const source of chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])) {
  if (names.has(source) || isBuiltin(source) || packageOf(source) in manifest.dependencies) continue
  throw new Error(`${source} is not among the server’s own packages: it may lie where the build does not find it`)
}
