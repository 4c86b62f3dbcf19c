import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import project from '../package.json' with { type: 'json' }
import { CHUNKS, isAlreadyThere } from './chunks.ts'
import { leanContract } from './lean-contract.ts'
import { leanEditor } from './lean-editor.ts'

const COMPRESSED = /\.(?:m?js|css|html|svg|json)$/
// Below this a compressed file saves nothing over the headers.
const LEAST_BYTES = 1_000

/** Writes a .gz and a .br beside every text file of the build, so that the server only picks one (design §8). */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      const files = await readdir(dir!, { recursive: true, withFileTypes: true })
      for (const file of files) {
        if (!file.isFile() || !COMPRESSED.test(file.name)) continue
        const path = join(file.parentPath, file.name)
        // Of the build before this one, that of the pages behind the sign-in.
        if (existsSync(`${path}.br`)) continue
        const bytes = await readFile(path)
        if (bytes.length < LEAST_BYTES) continue
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
        await writeFile(
          `${path}.br`,
          await promisify(brotliCompress)(bytes, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
          }),
        )
      }
    },
  }
}

/**
 * Leaves out zod's own sentences, 1 kB on every page: faults are told by their codes, in the
 * words of contract/src/errors.ts.
 */
function withoutZodSentences(): Plugin {
  return {
    name: 'without-zod-sentences',
    apply: 'build',
    transform(_code, id) {
      return id.endsWith('/zod/v4/locales/en.js')
        ? { code: `export default () => ({ localeError: () => 'Invalid input' })`, map: null }
        : null
    },
  }
}

/**
 * Leaves out zod's writer of JSON schemas, some 8 kB on every page: the API's document is made by the server. zod
 * only builds these functions along with each schema; calling one in the browser says what is missing.
 */
function withoutJsonSchemas(): Plugin {
  return {
    name: 'without-json-schemas',
    apply: 'build',
    transform(code, id) {
      if (!/\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/.test(id)) return null
      const names = [
        ...code.matchAll(/^export (?:function|const) (\w+)/gm),
        ...code.matchAll(/^export \{ \w+ as (\w+) \}/gm),
      ].map((match) => match[1])
      const stubs = names.map((name) => `missing as ${name}`).join(', ')
      return {
        code: [
          `const missing = () => () => { throw new Error('JSON schemas are written by the server') }`,
          `export { ${stubs} }`,
        ].join('\n'),
        map: null,
      }
    },
  }
}

/** Names of methods that are called of shapes, among others: of anything in the contract, by name in pages. */
function calledOfShapes(): ReadonlySet<string> {
  const callsIn = (pattern: string, call: RegExp) =>
    globSync(pattern, { cwd: import.meta.dirname }).flatMap((file) =>
      [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(call)].map(([, name]) => name!),
    )
  return new Set([
    ...callsIn('../contract/src/**/*.ts', /\.(\w+)\(/g),
    ...callsIn('src/**/*.{ts,tsx}', /\b(?:[A-Z]\w*|\w+Shape)\.(\w+)\(/g),
  ])
}

/**
 * Leaves out what zod brings for records that hold themselves, which neither a form nor an answer does, and for making
 * its code as it runs, which our content security policy forbids: some 2 kB on every page. And of its shapes what
 * nothing ever says of one, such as thirty formats of texts: another 4 kB.
 */
function withoutZodExtras(): Plugin {
  const madeAsItRuns = 'core.$ZodObjectJIT.init'
  const method = /^ {4}(?!if|for|while|switch|get|set)(\w+)\([^)]*\) \{\n(?:.*\n)*?^ {4}\},?\n/gm
  const standard = /^ {4}get "~standard"\(\) \{\n(?:.*\n)*?^ {4}\},\n/m
  return {
    name: 'without-zod-extras',
    apply: 'build',
    transform(code, id) {
      if (id.endsWith('/zod/v4/core/memoizer.js')) {
        const names = [...code.matchAll(/^export (?:function|class|const) (\$?\w+)/gm)].map(([, name]) => name)
        return {
          code: `const none = () => undefined\nexport { ${names.map((name) => `none as ${name}`).join(', ')} }`,
          map: null,
        }
      }
      if (!id.endsWith('/zod/v4/classic/schemas.js')) return null
      if (!code.includes(madeAsItRuns)) throw new Error('zod makes no code as it runs where it is looked for')
      if (!standard.test(code)) throw new Error('zod has no ~standard where it is looked for')
      const called = calledOfShapes()
      const ofZod = new Set([...code.matchAll(/\b(?:this|inst)\.(\w+)\(/g)].map(([, name]) => name!))
      const lean = code
        .replace(madeAsItRuns, 'core.$ZodObject.init')
        .replace(standard, '')
        .replace(method, (whole, name: string) => (called.has(name) || ofZod.has(name) ? whole : ''))
      return { code: lean, map: null }
    },
  }
}

const UNUSED_PARTS = new RegExp(
  `/@mantine/core/esm/(?:utils/Floating/FloatingArrow/get-arrow-position-styles|components/(?:${[
    'Menu/(?:MenuSub|MenuSearch|MenuCheckboxItem|MenuCheckboxGroup|MenuContextMenu)',
    'Popover/PopoverContextMenu',
    'Button/(?:ButtonGroup|ButtonGroupSection)',
    'Checkbox/(?:CheckboxGroup|CheckboxCard|CheckboxIndicator)',
    'Combobox/(?:ComboboxSearch|ComboboxHeader|ComboboxFooter)',
    // Choices scroll as the browser does it (theme.ts).
    'ScrollArea',
  ].join('|')})/(\\w+))\\.mjs$`,
)

/**
 * Leaves out parts of Mantine's components that no screen uses, some 4 kB on every page and 6 more on every form: as
 * `Menu.Sub` and the like they would travel with the component. Drawing one says what is missing.
 */
function withoutUnusedParts(): Plugin {
  return {
    name: 'without-unused-parts',
    apply: 'build',
    transform(code, id) {
      const found = UNUSED_PARTS.exec(id)
      const folder = id.split('/').at(-2)
      if (found === null || (found[1] ?? folder) !== folder) return null
      const [, exported = ''] = /^export \{ (.*) \};$/m.exec(code) ?? []
      const stubs = exported.split(', ').map((one) =>
        // What stands in none of them asks for it all the same.
        one.endsWith('Context')
          ? `export const ${one} = createContext(null)`
          : `export const ${one} = () => { throw new Error('${one} is left out of the build') }`,
      )
      return { code: [`import { createContext } from 'react'`, ...stubs].join('\n'), map: null }
    },
  }
}

/**
 * Leaves out i18next's formats in texts and texts inside texts: figures are written by `useFormat`, and no text of ours
 * names another. And what it does on servers and for texts that are still to be translated: 2 kB on every page in all.
 */
function withoutTextParts(): Plugin {
  const parts = /^  nest\(str, fc, .*?(?=^const maxFailedLoads)/ms
  const methods = ['cloneInstance', 'dir', 'getPluralFormsOfKey', 'hydrate', 'saveMissing']
  return {
    name: 'without-text-parts',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/i18next/dist/esm/i18next.js')) return null
      if (!parts.test(code)) throw new Error('i18next has no formatter where it is looked for')
      const left = `nest(text) {
          return text
        }
      }
      class Formatter {
        format(value, name) {
          if (name) throw new Error('A text names a format: ' + name)
          return value
        }
      }\n`
      const lean = methods.reduce(
        (rest, name) => {
          const method = new RegExp(String.raw`^  ${name}\(.*?^  \}\n`, 'ms')
          if (!method.test(rest)) throw new Error(`i18next has no ${name} where it is looked for`)
          return rest.replace(method, '')
        },
        code.replace(parts, left),
      )
      return { code: lean, map: null }
    },
  }
}

const TRANSITIONS = ['fade', 'fade-down', 'pop', 'slide-right']

/** Leaves out the ways of coming and going that nothing of ours uses, some 0.7 kB on every page. */
function withoutUnusedTransitions(): Plugin {
  return {
    name: 'without-unused-transitions',
    apply: 'build',
    transform(code, id) {
      if (id.includes('/web/src/')) {
        for (const [, name] of code.matchAll(/\btransition: ?['"]([\w-]+)['"]/g))
          if (!TRANSITIONS.includes(name!)) this.error(`${id} uses ${name}, which the build leaves out`)
        return null
      }
      if (!id.endsWith('/@mantine/core/esm/components/Transition/transitions.mjs')) return null
      const [, made] = /const transitions = (\{.*?^\});/ms.exec(code) ?? []
      if (made === undefined) throw new Error('Mantine has no transitions where they are looked for')
      const kept = TRANSITIONS.map((name) => {
        const found = new RegExp(String.raw`^\t"?${name}"?: \{.*?^\t\}`, 'ms').exec(made)
        if (!found) throw new Error(`Mantine has no transition ${name}`)
        return `${found[0]},`
      })
      return { code: code.replace(made, `{\n${kept.join('\n')}\n}`), map: null }
    },
  }
}

/** Asks for the letters of every language beside the code: words drawn in others first would move when they come. */
function lettersFirst(): Plugin {
  return {
    name: 'letters-first',
    apply: 'build',
    transformIndexHtml(_html, { bundle }) {
      const letters = Object.keys(bundle ?? {}).filter((file) => /inter-latin-wght-normal-[\w-]+\.woff2$/.test(file))
      if (letters.length !== 1) throw new Error('The build has no letters where they are looked for')
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${letters[0]}` }
      return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
    },
  }
}

/** Dark by the system alone, without a script that could only say so after the first paint. */
function darkBySystem(): Plugin {
  return {
    name: 'dark-by-system',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/ui/theme/tokens.css')) return null
      const block = /^:root\[data-mantine-color-scheme="dark"\] \{(.*?)^\}/ms
      if (!block.test(code)) throw new Error('tokens.css has no dark values where they are looked for')
      return { code: code.replace(block, '@media (prefers-color-scheme: dark) {\n:root {$1}\n}'), map: null }
    },
  }
}

/** The pages of links, without a sign-in (decision 075). */
const PUBLIC_PAGES = ['upload-documents', 'new-paper', 'track', 'price', 'quote', 'statement', 'drive']

/** The public pages while one develops: each of their addresses is its own page. */
function publicAddresses(): Plugin {
  return {
    name: 'public-addresses',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use((request, _answer, next) => {
        const [, path = '', more] = request.url?.split('/') ?? []
        // Carriers hand in new papers at the address of uploads (decision 123).
        const page = path === 'upload-documents' && more?.startsWith('paper-') ? 'new-paper' : path
        if (more !== undefined && PUBLIC_PAGES.includes(page)) request.url = `/${page}.html`
        next()
      })
    },
  }
}

/** What the build calls itself: the version, and the commit where there is one. */
function buildVersion(): string {
  try {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return `${project.version}+${commit}`
  } catch {
    return project.version
  }
}

// Each name stands in every file that may load it, and what is random in it cannot be packed: seven letters of the
// digest tell builds apart as well as eight.
const NAMES = {
  entryFileNames: 'assets/[name]-[hash:7].js',
  chunkFileNames: 'assets/[name]-[hash:7].js',
  assetFileNames: 'assets/[name]-[hash:7][extname]',
}

// Each public page is a build of its own: in one build they would share files with each other, and with pages that need
// React. Its mode names it: `public-track`.
const publicPageOf = (mode: string) => PUBLIC_PAGES.find((page) => mode === `public-${page}`)

/** What a public page is built of: itself, and the driver's what keeps it on the telephone (decision 109). */
const publicEntries = (page: string) => ({
  [page]: join(import.meta.dirname, `${page}.html`),
  ...(page === 'drive' && { 'drive-worker': join(import.meta.dirname, 'src/public/drive/worker.ts') }),
})

// A worker is known to telephones by its address, and renewed there: it keeps one name.
const publicName = ({ name }: { name: string }) => (name === 'drive-worker' ? '[name].js' : 'assets/[name]-[hash].js')

export default defineConfig(({ command, mode }) => ({
  root: import.meta.dirname,
  plugins: [
    publicPageOf(mode) ? darkBySystem() : [react(), publicAddresses(), lettersFirst()],
    leanContract(),
    leanEditor(),
    withoutJsonSchemas(),
    withoutZodSentences(),
    withoutZodExtras(),
    withoutUnusedParts(),
    withoutTextParts(),
    withoutUnusedTransitions(),
    precompress(),
  ],
  define: { __APP_VERSION__: JSON.stringify(command === 'build' ? buildVersion() : project.version) },
  resolve: {
    // Behind the sign-in what checks a shape comes with the first check (decision 175); public pages have few shapes.
    alias: publicPageOf(mode)
      ? []
      : [{ find: /^zod$/, replacement: join(import.meta.dirname, 'src/kit/shapes/late-zod.ts') }],
    dedupe: [
      'react',
      'react-dom',
      '@mantine/core',
      '@mantine/hooks',
      '@tanstack/react-query',
      'i18next',
      'react-i18next',
      'zod',
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: !publicPageOf(mode),
    copyPublicDir: !publicPageOf(mode),
    target: 'es2023',
    // Inlined data: fonts and icons would need another word in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Bytes are held by e2e/page-weight.test.ts, as a browser counts them.
    chunkSizeWarningLimit: 600,
    sourcemap: false,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, parts, { hostType }) =>
        hostType === 'js' ? parts.filter((part) => !isAlreadyThere(part)) : parts,
    },
    rolldownOptions: publicPageOf(mode)
      ? { input: publicEntries(publicPageOf(mode)!), output: { entryFileNames: publicName } }
      : { output: { ...NAMES, codeSplitting: { groups: CHUNKS } } },
  },
  server: {
    host: '127.0.0.1',
    strictPort: true,
    // `API_URL` says where the server listens; the port of this one comes with `--port`.
    proxy: { '/api': { target: loadEnv(mode, import.meta.dirname, 'API_').API_URL ?? 'http://127.0.0.1:3000' } },
  },
}))
