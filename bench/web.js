// `npm run bench -- web [--runs 5] [--keys 40] [--lines 200] [--only weight,screens,keys]`
// What the pages weigh, and what they cost a browser. Prints the tables of README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import playwright from '../playwright.config.ts'
import { root as project, run } from '../scripts/bootstrap.js'
import { parse, walk } from '../scripts/gates/sources.js'
import { crowdedPartners, orderOf } from './requests/demo-requests.js'
import { ADMIN, copyOf, demoFolder, freePort, signIn, startPostgres, startWaybill, tidyUp } from './installation.js'
import { machine, postgresVersion } from './machine.js'
import { figure, median, say, table } from './report.js'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    keys: { type: 'string', default: '40' },
    lines: { type: 'string', default: '200' },
    only: { type: 'string', default: 'weight,screens,keys' },
  },
})
const runs = Number(options.runs)
const wants = (part) => options.only.split(',').includes(part)

/** The figures of design §8, and less where less holds (decisions 173 and 175). */
const KB = { '/auth/login': 170, '/orders': 260, '/orders/create': 300, '/orders/$id/edit': 300 }
const KB_ELSEWHERE = 340
const LCP_MS = 1500
const MOST_SHIFT = 0.02
const KEY_MS = 16

const web = join(project, 'web')

async function build() {
  const { code, output } = await run(
    process.execPath,
    [join(project, 'node_modules/vite/bin/vite.js'), 'build', '--manifest', '--logLevel', 'warn'],
    { cwd: web, collect: true },
  )
  if (code !== 0) throw new Error(`the web could not be built:\n${output}`)
  return JSON.parse(readFileSync(join(web, 'dist/.vite/manifest.json'), 'utf8'))
}

// --- what the routes weigh --------------------------------------------------------------------------------------

const ROUTES = 'web/src/app/routes.tsx'

const LISTS_OF_SIMPLE_RECORDS = 'src/modules/record/record-list-page.tsx'
const FORMS_OF_SIMPLE_RECORDS = 'src/modules/record/record-form-page.tsx'

/** The files that are imported when they are first needed, anywhere below a node of the table of routes. */
function importedLater(...nodes) {
  const found = []
  for (const node of nodes)
    walk(node, (inner) => inner?.type === 'ImportExpression' && found.push(join('src/app', inner.source.value)))
  return found
}

/** One entry of the table: a route, with the texts that its loader names. */
function routeOf(call) {
  const route = { path: null, parent: null, pages: [], texts: [] }
  for (const property of call.arguments[0]?.properties ?? []) {
    if (property.key?.name === 'path') route.path = property.value.value
    if (property.key?.name === 'getParentRoute') route.parent = property.value.body.name
    if (property.key?.name === 'loader')
      walk(
        property.value,
        (node) =>
          node.type === 'CallExpression' &&
          node.callee.name === 'loadTexts' &&
          route.texts.push(...node.arguments.map(({ value }) => value)),
      )
    if (property.key?.name === 'component') route.pages.push(...importedLater(property.value))
  }
  return route
}

/** One entry that stands for three: the list of a record and its two forms, as record-screens.ts makes them. */
function routesOfRecord(call) {
  const [parent, { properties }] = call.arguments
  const of = (name) => properties.find(({ key }) => key.name === name)?.value
  const path = of('path').value
  const own = of('words').value.split(':')[0]
  const formTexts = (of('formTexts')?.elements ?? []).map(({ value }) => value)
  const isSimple = call.callee.name === 'simpleRecordScreens'
  const described = [of('record'), of('widgets')].filter((node) => node !== undefined)
  const pagesOf = (name) =>
    isSimple ? [FORMS_OF_SIMPLE_RECORDS, ...importedLater(...described)] : importedLater(of(name))
  const list = isSimple ? [LISTS_OF_SIMPLE_RECORDS, ...importedLater(of('record'))] : importedLater(of('list'))
  const shared = isSimple ? ['record'] : []
  const form = ['list', 'form', 'history', ...shared, ...formTexts, own]
  return [
    { path, parent: parent.name, pages: list, texts: ['list', 'form', ...shared, own] },
    { path: `${path}/create`, parent: parent.name, pages: pagesOf('create'), texts: form },
    { path: `${path}/$id/edit`, parent: parent.name, pages: pagesOf('edit'), texts: form },
  ]
}

/** The screens as the table of routes has them: path, chunk and texts, with those of the layouts around them. */
function screens() {
  const found = []
  const isCallOf = (node, ...names) => node?.type === 'CallExpression' && names.includes(node.callee.name)
  const layouts = {}
  walk(parse(ROUTES).program, (node) => {
    if (node.type === 'VariableDeclarator' && isCallOf(node.init, 'createRoute'))
      layouts[node.id.name] = routeOf(node.init)
    if (isCallOf(node, 'createRoute')) found.push(routeOf(node))
    if (isCallOf(node, 'recordScreens', 'simpleRecordScreens')) found.push(...routesOfRecord(node))
  })
  const whole = (route) => {
    const around = layouts[route.parent] ? whole(layouts[route.parent]) : { pages: [], texts: [] }
    return {
      ...route,
      pages: [...around.pages, ...route.pages],
      texts: [...new Set([...around.texts, ...route.texts])],
    }
  }
  return found.filter(({ path, pages }) => path !== null && pages.length > 0).map(whole)
}

const sizes = new Map()
function gzipKb(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(web, 'dist', file)), { level: 9 }).length / 1000)
  return sizes.get(file)
}
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0)

// What is wrong with a field is said by the contract, in the same words as the server’s.
const textFile = (language, text) =>
  text === 'field-errors' ? `../contract/src/errors/${language}.ts` : `src/locales/${language}/${text}.json`

function weights(manifest) {
  const closure = (key, seen = new Set()) => {
    if (seen.has(key)) return seen
    if (!manifest[key]) throw new Error(`the build has no ${key}`)
    seen.add(key)
    for (const next of manifest[key].imports ?? []) closure(next, seen)
    return seen
  }
  return screens().map(({ path, pages, texts }) => {
    const keys = new Set()
    for (const key of ['index.html', ...pages]) closure(key, keys)
    const code = sum([...keys].map((key) => gzipKb(manifest[key].file)))
    const css = sum([...new Set([...keys].flatMap((key) => manifest[key].css ?? []))].map(gzipKb))
    const words = Math.max(
      ...['en', 'de', 'pl'].map((language) =>
        sum(texts.map((text) => gzipKb(manifest[textFile(language, text)].file))),
      ),
    )
    const budget = KB[path] ?? KB_ELSEWHERE
    return [
      path,
      String(keys.size),
      figure(words, 1),
      figure(css, 1),
      figure(code, 1),
      String(budget),
      figure(code / budget, 2),
    ]
  })
}

// --- what the screens cost a browser ----------------------------------------------------------------------------

/** Runs in the page, before it: what is painted largest, and what moves. */
function watch() {
  const seen = { largestMs: 0, shift: 0, longTasks: 0 }
  window.benchSeen = seen
  const on = (type, hear) =>
    new PerformanceObserver((list) => list.getEntries().forEach(hear)).observe({ type, buffered: true })
  on('largest-contentful-paint', ({ startTime }) => (seen.largestMs = startTime))
  on('layout-shift', ({ value, hadRecentInput }) => (seen.shift += hadRecentInput ? 0 : value))
  on('longtask', () => (seen.longTasks += 1))
  // No hand is there: the pointer begins at the corner, on the link home, whose screen would be fetched for it.
  window.addEventListener('mouseover', (event) => event.stopImmediatePropagation(), true)
}

/** A browser that has never been here: its own cache, its own storage but for the session. */
async function inFreshBrowser(browser, settings, work) {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 800 },
    ...settings,
  })
  try {
    const page = await context.newPage()
    await page.addInitScript(watch)
    // What goes on as long as the page is open would never let it come to rest.
    await page.route('**/api/events', (route) => route.fulfill({ status: 204 }))
    return await work(page)
  } finally {
    await context.close()
  }
}

/**
 * What waits until nothing has come for a second, called before the page is asked for. The stream of events never
 * ends, so the browser never takes the network for idle.
 */
function quietOf(page) {
  let cameAt = performance.now()
  page.on('response', () => (cameAt = performance.now()))
  return async () => {
    while (performance.now() - cameAt < 1000) await page.waitForTimeout(50)
  }
}

async function measureScreen(browser, { path, url, storageState }) {
  const once = () =>
    inFreshBrowser(browser, { storageState }, async (page) => {
      const files = new Set()
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (pathname.endsWith('.js') && response.ok()) files.add(pathname.slice(1))
      })
      const isQuiet = quietOf(page)
      await page.goto(url + path)
      // Until nothing comes any more: what comes late and moves the rest counts.
      await isQuiet()
      return { ...(await page.evaluate(() => window.benchSeen)), kb: sum([...files].map(gzipKb)) }
    })
  await once()
  const found = []
  for (let turn = 0; turn < runs; turn += 1) found.push(await once())
  const of = (name) => median(found.map((one) => one[name]))
  return { largestMs: of('largestMs'), shift: of('shift'), kb: of('kb') }
}

/** Each key is pressed for itself, and what the page does afterwards (drafts, sums) counts to it. */
async function measureKeys(browser, { url, path, storageState, field, keys }) {
  const found = []
  for (let turn = 0; turn < runs; turn += 1) {
    found.push(
      await inFreshBrowser(browser, { storageState }, async (page) => {
        const isQuiet = quietOf(page)
        await page.goto(url + path)
        const input = page.locator(field)
        await input.waitFor()
        await isQuiet()
        await input.focus()
        // The first keys fetch and make what the page needs once.
        for (const key of keys.slice(0, 4)) await page.keyboard.press(key, { delay: 60 })
        await page.waitForTimeout(1500)
        const cdp = await page.context().newCDPSession(page)
        await cdp.send('Performance.enable')
        const now = async () =>
          Object.fromEntries(
            (await cdp.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value * 1000]),
          )
        const before = await now()
        await page.evaluate(() => (window.benchSeen.longTasks = 0))
        for (const key of keys) await page.keyboard.press(key, { delay: 60 })
        await page.waitForTimeout(1000)
        const after = await now()
        const perKey = (name) => (after[name] - before[name]) / keys.length
        return {
          script: perKey('ScriptDuration'),
          layout: perKey('LayoutDuration') + perKey('RecalcStyleDuration'),
          task: perKey('TaskDuration'),
          longTasks: await page.evaluate(() => window.benchSeen.longTasks),
        }
      }),
    )
  }
  const of = (name) => median(found.map((one) => one[name]))
  return [
    figure(of('layout'), 1),
    figure(of('task'), 1),
    String(of('longTasks')),
    figure(of('script'), 1),
    String(KEY_MS),
    figure(of('script') / KEY_MS, 2),
  ]
}

async function measureInBrowser() {
  const blocks = []
  const folder = copyOf(await demoFolder())
  const postgres = await startPostgres(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await startWaybill({ folder, databaseUrl: postgres.url, ownerUrl: postgres.ownerUrl, port })
  const get = async (path) =>
    (
      await fetch(`${url}/api/${path}`, {
        headers: { authorization: `Bearer ${token}`, 'additional-groups': 'detailed' },
      })
    ).json()
  const token = await signIn(url)
  const browser = await chromium.launch(playwright.use.launchOptions)
  try {
    const storageState = await inFreshBrowser(browser, {}, async (page) => {
      await page.goto(`${url}/auth/login`)
      await page.locator('input[type="email"]').fill(ADMIN.email)
      await page.locator('input[type="password"]').fill(ADMIN.password)
      await page.keyboard.press('Enter')
      await page.waitForURL((at) => !at.pathname.startsWith('/auth/'))
      return page.context().storageState()
    })
    const { items } = await get('orders?status[]=in_transit')
    if (wants('screens')) {
      const rows = []
      for (const [name, path, state] of [
        ['login', '/auth/login'],
        ['orders list', '/orders', storageState],
        ['invoices list', '/invoices', storageState],
        ['order form', `/orders/${items[0].id}/edit`, storageState],
        ['new order', '/orders/create', storageState],
      ]) {
        const { largestMs, shift, kb } = await measureScreen(browser, { url, path, storageState: state })
        const budget = KB[path] ?? KB_ELSEWHERE
        rows.push([
          name,
          figure(kb, 1),
          figure(largestMs),
          figure(shift, 4),
          figure(kb / budget, 2),
          figure(largestMs / LCP_MS, 2),
          figure(shift / MOST_SHIFT, 2),
        ])
      }
      blocks.push(
        `Median of ${runs} cold openings on the demo year; script is all that is asked for until the page rests. ` +
          `The ratios are to the budget, to ${LCP_MS} ms and to ${MOST_SHIFT}.`,
      )
      blocks.push(table(['screen', 'script kB', 'LCP ms', 'shift', 'kB ratio', 'LCP ratio', 'shift ratio'], rows))
    }
    if (wants('keys')) {
      const make = async (resource, body) => {
        const response = await fetch(`${url}/api/${resource}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const made = await response.json()
        if (!response.ok) throw new Error(`the long record of ${resource}: ${response.status} ${JSON.stringify(made)}`)
        return made
      }
      const order = await make('orders', await orderOf(get, Number(options.lines)))
      const partners = await crowdedPartners(get, Number(options.lines))
      const customer = await make('customers', partners.customers)
      const carrier = await make('carrier-companies', partners['carrier-companies'])
      const middle = Math.floor(Number(options.lines) / 2)
      const line = (field) => `tr:nth-child(${middle}) input[data-field="${field}"]`
      const letters = Array.from({ length: Number(options.keys) }, (_, at) => 'Palettenware '[at % 13])
      // A figure of two digits, typed and taken back.
      const digits = Array.from(
        { length: Number(options.keys) },
        (_, at) => ['2', '5', 'Backspace', 'Backspace'][at % 4],
      )
      const rows = []
      const [orderForm, contacts, drivers] = [
        `/orders/${order.id}/edit`,
        `/customer/${customer.id}/edit?tab=contacts`,
        `/carrier-companies/${carrier.id}/edit?tab=drivers`,
      ]
      for (const [name, path, field, keys] of [
        ['cargo, goods', orderForm, line('title'), letters],
        ['cargo, weight', orderForm, line('weightKg'), digits],
        ['description', orderForm, '[name="description"]', letters],
        ['contact persons, name', contacts, `[name="contactPersons.${middle}.fullName"]`, letters],
        ['drivers, name', drivers, `[name="drivers.${middle}.fullName"]`, letters],
      ]) {
        rows.push([name, ...(await measureKeys(browser, { url, path, storageState, field, keys }))])
      }
      blocks.push(
        `A key in an order with ${options.lines} cargo lines, ` +
          `a customer with as many contact persons and a carrier with as many drivers, ms; ` +
          `mean of ${options.keys} keys, median of ${runs} runs. All work holds the painting, ` +
          `which no graphics card does here.`,
      )
      blocks.push(
        table(['field', 'style and layout', 'all work', 'tasks over 50 ms', 'script', 'wanted', 'script ratio'], rows),
      )
    }
    return { blocks, software: `, PostgreSQL ${await postgresVersion(postgres.url)}, Chromium ${browser.version()}` }
  } finally {
    await browser.close()
  }
}

try {
  const manifest = await build()
  const blocks = []
  if (wants('weight')) {
    blocks.push(
      'Gzipped kB of script that a route imports statically, with the layout around it; its texts in the ' +
        'longest language and its style sheets beside it.',
    )
    blocks.push(table(['route', 'files', 'texts', 'css', 'script', 'budget', 'script ratio'], weights(manifest)))
  }
  const inBrowser = wants('screens') || wants('keys') ? await measureInBrowser() : { blocks: [], software: '' }
  say([machine() + inBrowser.software, ...blocks, ...inBrowser.blocks].join('\n\n'))
} catch (error) {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
} finally {
  await tidyUp()
}
