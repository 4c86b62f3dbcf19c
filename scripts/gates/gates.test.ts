// A gate that never closes is none: each is tried on a house in which its fault was planted.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const foreign = ['', 'home', 'jan', 'project'].join('/')
const beside = ['..', 'shared'].join('/')
const downloads = ['https://registry.np', 'mjs.org'].join('')

// Written so that these are no citations of this file's own.
const sign = '§'
const apiPaper = ['api', 'md'].join('.')
const domainPaper = ['..', 'reference', ['domain', 'md'].join('.')].join('/')

const orderDocument = `import { counted, filled, textsOf, wordingsOf } from '../../kit/texts/texts.ts'
const TEXTS = textsOf('order')
const { columns, also } = wordingsOf('order')
const LOCALES = { en: 'en-GB', de: 'de-DE', pl: 'pl-PL' }
const DAYS = { en: { day: 'dd/mm/yyyy' }, de: { day: 'dd.mm.yyyy' }, pl: { day: 'dd.mm.yyyy' } }
const WRONG = { en: 'Wrong', de: 'Falsch', pl: 'Źle' }
const NESTED = { 'pl': { title: () => \`Tytuł \${LOCALES.pl}\` }, 'de': { title: () => '' }, 'en': { title: () => '' } }
export const document = (language, status) => {
  const words = { ...TEXTS[language], ...LOCALES }
  const said = [filled(words.asked, { name: 'x' }), counted(language, words, 'days', 2), words.statuses[status]]
  return [...said, columns.title, [...also], words.whole]
}
export const read = (name) => textsOf(name)
export const all = [DAYS, WRONG, NESTED]
`

const house: Record<string, string> = {
  'contract/src/kit/money.ts': `import '../order/order.ts'\nexport const cents = 1\n`,
  'contract/src/order/order.ts': [
    `import { invoice } from '../invoice/invoice.ts'\n`,
    `import pg from 'pg'\n`,
    `export const order = [invoice, pg]\n`,
  ].join(''),
  'contract/src/invoice/invoice.ts': `import { order } from '../order/order.ts'\nexport const invoice = order\n`,
  'server/src/config.ts': `export const port = process.env.PORT\n`,
  'server/src/kit/mail.ts': [
    `import { order } from '@waybill/contract/order/order'\n`,
    `export const lastInvoice = order\n`,
    `export const level = process.env.LEVEL\n`,
  ].join(''),
  'contract/src/event.ts': `export const event = 1\n`,
  'contract/src/skonto/skonto.ts': `export const skonto = 1\n`,
  'server/src/kit/alone.ts': `export const list = 'select 1 order by 1'\n`,
  'server/src/app/routes.ts': `export const routes = []\n`,
  'server/src/modules/order/order.table.ts': [
    `export const table = 1\n`,
    `declare module '../../kit/db.ts' {\n`,
    `  interface Tables {\n`,
    `    order: { id: number }\n`,
    `  }\n`,
    `}\n`,
  ].join(''),
  'server/src/modules/user/user.table.ts': [
    `declare module '../../kit/db.ts' {\n`,
    `  interface Tables {\n`,
    `    user: { id: number }\n`,
    `  }\n`,
    `}\n`,
    `export const userTable = 1\n`,
  ].join(''),
  'server/src/modules/user/user.service.ts': [
    `export const list = (db) => [db.selectFrom('order'), sql\`select 1 from "order" join "user" on `,
    `true\`, db.updateTable('user')]\n`,
  ].join(''),
  'server/src/modules/user/plain.ts': [
    `export const one = (db) => db.query('select 1 from "user" u, lateral (select 1, 2) x, "order" o')`,
    'export const two = (db, id) => db.query(`delete from "order" where id = ${id}`)',
    `export const three = (db) => db.selectFrom(['user', 'order as o'])`,
    `export const four = (db) => db.query('truncate "user", "order"')`,
    "export const five = sql`update ${sql.table('order')} set id = 1`",
    `export const six = sql.table('order')`,
    'export const seven = `left join "order" o on true`',
    'export const eight = ({ selectFrom }) => selectFrom(`order`)',
    `export const said = ['Taken from order to order', 'from "user" u where u.id in (1, order)']`,
    'export const nine = sql`select u.id is distinct from "order".id from "user" u -- from "order"`',
    '',
  ].join('\n'),
  'server/src/backup/held.ts': `export const held = 'insert into "user" (id) values (1)'\n`,
  'server/src/modules/order/order.job.ts': [
    `export const job = (db) => [db.selectFrom('user as u'), sql\`update "user" set id = 1\`]\n`,
  ].join(''),
  'contract/src/order/first.ts': `import type { second } from './second.ts'\nexport const first: typeof second = 1\n`,
  'contract/src/order/second.ts': `export const second = () => import('./first.ts')\n`,
  'contract/src/order/third.ts': `export type Third = import('./fourth.ts').Fourth\n`,
  'contract/src/order/fourth.ts': 'export const fourth = () => import(`./third.ts`)\n',
  'deploy/Dockerfile': `RUN ${'a'.repeat(120)}\n`,
  'deploy/compose.yaml': `name: ${'a'.repeat(120)}\n`,
  'deploy/more.yml': `name: ${'a'.repeat(120)}\n`,
  'web/src/ui/long.css': `/* ${'a'.repeat(120)} */\n`,
  ...Object.fromEntries(
    Array.from({ length: 21 }, (_, n) => [`web/src/modules/heap/part-${n}.ts`, `export const part = ${n}\n`]),
  ),
  'server/src/modules/order/order.routes.ts': [
    `import { table } from './order.table.ts'\n`,
    `import { list } from '../../kit/alone.ts'\n`,
    `export const r = [table, list]\n`,
  ].join(''),
  'server/src/modules/order/order.query.ts': [
    `import { r } from './order.routes.ts'\n`,
    `import { customer } from '../customer/customer.service.ts'\n`,
    `import { invoice } from '../invoice/index.ts'\n`,
    `import { routes } from '../../app/routes.ts'\n`,
    `export const q = [r, customer, invoice, routes]\n`,
    `export type Owed = typeof import('../customer/customer.service.ts').customer\n`,
    'export const later = () => import(`../customer/customer.service.ts`)\n',
  ].join(''),
  'server/src/modules/customer/customer.service.ts': `export const customer = 1\n`,
  'server/src/kit/context/answer-apart.ts': `export const answerApart = (work) => process.on('message', work)\n`,
  'server/src/modules/customer/customer-reader.ts': [
    `import type { Kysely } from 'kysely'\n`,
    `import { answerApart } from '../../kit/context/answer-apart.ts'\n`,
    `import { rows } from './rows.ts'\n`,
    `export const answers = (db: Kysely<unknown>) => [db, answerApart(rows)]\n`,
  ].join(''),
  'server/src/modules/customer/rows.ts': `import { z } from 'zod'\nexport const rows = z.array(z.string())\n`,
  'server/src/modules/invoice/index.ts': `export const invoice = 1\n`,
  'server/src/modules/invoice/day.ts': `export const day = (at: Date) => new Intl.DateTimeFormat('de').format(at)\n`,
  'contract/src/kit/intl.ts': `export const number = new Intl.NumberFormat('de')\n`,
  'server/src/modules/order/order.thing.ts': `export default 1\n`,
  'contract/src/order/status.ts': [
    `export const ORDER_STATUSES = ['new', 'canceled'] as const`,
    `export const isCanceled = (status: string) => status === 'canceled'`,
    '',
  ].join('\n'),
  'contract/src/invoice/status.ts': `export const INVOICE_STATUSES = ['created', 'paid'] as const\n`,
  'server/src/modules/order/bill-order.ts': [
    `import { sql } from './sql.ts'`,
    `export const one = (order) => order.status === 'canceled'`,
    `export const two = ({ status }) => 'paid' !== status`,
    `export const three = (it) => ['created', 'paid'].includes(it?.status)`,
    'export const four = sql`select 1 from "order" o where',
    "  o.status not in ('x', 'canceled')`",
    `export const five = (rows) => rows.where('invoice.status', '<>', 'paid')`,
    `export function six({ status }) {`,
    `  switch (status) {`,
    `    case 'new':`,
    `      return 1`,
    `  }`,
    `}`,
    `export const seven = (rows) => rows.where((eb) => eb('order.status', 'in', ['new', 'x']))`,
    `export const eight = (it) => new Set(['created', 'paid']).has(it.status)`,
    `export const nine = ({ to }) => to === 'paid'`,
    `export const ten = (row) => row.newStatus !== 'canceled'`,
    `export const eleven = { status: ['new'] }`,
    `export const TWELVE = ['created', 'paid'] as const`,
    `export const THIRTEEN: Readonly<Record<string, string>> = { paid: 'invoice.paid' }`,
    'export const fourteen = sql`select 1 from "order" o where o."oldStatus" = \'canceled\'`',
    '',
  ].join('\n'),
  'server/src/modules/order/untidy.ts': `export const  untidy = { 'a': 1 };\nif (untidy) debugger\n`,
  'server/src/modules/order/send-mail.ts': [
    `export const mail = (email, tab) => email.status === 'queued' || tab === 'new'`,
    `export const moved = { status: 'paid' }`,
    `export const waiting = "status in ('queued')"`,
    `export const DAYS = { from: ['2026-01-01'], to: ['2026-12-31', 'new'].length }`,
    `export const WORDS: Record<string, string> = { paid: 'paid', other: 'something else' }`,
    '',
  ].join('\n'),
  'server/src/modules/invoice/fractions.ts': [
    `export const vat = ({ netCents }) => netCents * 0.19`,
    `export const half = (order) => Math.round(order.priceCents / 2)`,
    `export const shown = (cents) => String((cents).toFixed(2))`,
    `export const read = (text) => ({ amountCents: Math.round(parseFloat(text) * 100) })`,
    `export const rate = (rateBp) => {`,
    `  const marginBp = parseFloat(rateBp)`,
    `  return marginBp`,
    `}`,
    `export const share = (vatBp) => 1 / vatBp`,
    '',
  ].join('\n'),
  'server/src/modules/invoice/whole.ts': [
    `export const vat = (netCents, vatBp) => roundHalfAwayFromZero(netCents * vatBp, 10_000)`,
    `export const twice = (netCents) => netCents * 2 - netCents`,
    `export const metres = (weightKg) => ({ tons: (weightKg / 1000).toFixed(1), ldm: parseFloat('1.2') * 0.5 })`,
    `export const soon = (days, list) => list.filter(({ cents }) => cents > 0).length / days`,
    '',
  ].join('\n'),
  'web/src/ui/bar.ts': `export const width = (openCents, allCents) => openCents / allCents\n`,
  'server/src/modules/order/utils.ts': `export const u = 1\n`,
  // A planted file of words that leave tests out, each of which the gate must refuse; none is left out here.
  'server/src/modules/order/first.test.ts': [
    `import { it } from 'vitest'`,
    ...['skip', 'only', 'todo', 'fails', 'skipIf(true)', 'runIf(false)'].map((how) => `it.${how}('x', () => {})`),
    `test.fixme('is left out', () => {})`,
    `test.describe.skip('x', () => {})`,
    `test.describe.parallel.only('x', () => {})`,
    `test.concurrent['skip']('x', () => {})`,
    `test('x', (ctx) => ctx.skip())`,
    `test('x', ({ skip }) => skip())`,
    `xtest('x', () => {})`,
    `xit('x', () => {})`,
    `fdescribe('x', () => {})`,
    ...['skip', 'only', 'todo'].map((how) => `it('x', { ${how}: true }, () => {})`),
    `it.each([1])('x', { skip: isSlow }, () => {})`,
    `it('x', { skip: false, timeout: 1 }, () => list.only({ skip: 1 }))`,
    '',
  ].join('\n'),
  'server/src/modules/order/bigName.ts': `export const name = 1\n`,
  'web/src/modules/order/index.ts': `export const name = 1\n`,
  'server/src/beside.ts': `export const beside = ['${beside}', '${downloads}']\n`,
  ...Object.fromEntries(
    Array.from({ length: 120 }, (_, n) => [`bench/long-${n % 10}/long-${n}.ts`, '// a line of many\n'.repeat(81)]),
  ),
  'server/src/here.ts': `export const here = '${foreign}'\n`,
  'web/src/ui/badge.tsx': `import { useList } from '../kit/list/use-list.ts'\nexport const Badge = () => useList\n`,
  'web/src/kit/list/use-list.ts': [
    `import { page } from '../../modules/order/order-page.tsx'\n`,
    `export const useList = page\n`,
  ].join(''),
  'web/src/modules/order/order-page.tsx': [
    `import { x } from '../customer/customer-form.tsx'\n`,
    `import { Sel } from '../customer/customer-select.tsx'\n`,
    `import fs from 'node:fs'\n`,
    `import { useTranslation } from 'react-i18next'\n`,
    `export const page = [x, Sel, fs]\n`,
    `export function Page() {\n`,
    `  const { t } = useTranslation('order')\n`,
    `  return <p title="Written here">{t('known')}{t('unknown')}{t('rows', { count: 1 })}Also written</p>\n`,
    `}\n`,
  ].join(''),
  'web/src/modules/order/values/low.ts': `import '../form/high.ts'\nimport '../attic/room.ts'\n`,
  'web/src/modules/order/form/high.ts': `import '../stops/stop.ts'\n`,
  'web/src/modules/order/stops/stop.ts': `export const stop = 1\n`,
  'web/src/modules/order/attic/room.ts': `export const room = 1\n`,
  'web/src/modules/customer/customer-form.tsx': [
    `import { port } from '../../../../server/src/config.ts'\n`,
    `export const x = port\n`,
    // Of several files of texts the first is meant where none is named; the others are loaded only.
    `export function Form() {\n`,
    `  const { t } = useTranslation(['record', 'order'])\n`,
    `  return t('known')\n`,
    `}\n`,
  ].join(''),
  'web/src/modules/customer/customer-select.tsx': `export const Sel = 1\n`,
  'web/src/locales/en/order.json': [
    `{ "known": "Known to {{name}}", "unused": "Nobody asks", "whole": "Still the English text", `,
    `"rows_one": "{{count}} row", "rows_other": "{{count}} rows" }`,
  ].join(''),
  'web/src/locales/de/order.json': [
    `{ "known": "Bekannt bei {{namen}}", "unused": "Niemand fragt", "whole": "Still the English text", `,
    `"rows_one": "{{count}} Zeile", "rows_other": "{{count}} Zeilen", "extra": "Mehr" }`,
  ].join(''),
  'web/src/locales/pl/order.json': [
    `{ "known": "Znane", "whole": "Nadal", "rows_one": "{{count}} wiersz", "rows_other": "{{count}} wiersza" }`,
  ].join(''),
  'web/src/app/routes.tsx': [
    `import { simpleRecordScreens } from './record-screens.ts'`,
    `export const screens = simpleRecordScreens(1, { path: '/countries', words: 'country' })`,
  ].join('\n'),
  'web/src/app/record-screens.ts': [
    `import { Page } from '../modules/record/page.tsx'`,
    `export const simpleRecordScreens = (...given) => [given, Page]`,
  ].join('\n'),
  'web/src/modules/record/page.tsx': [
    `import { useTranslation } from 'react-i18next'`,
    `export function Page({ record }) {`,
    `  const { t } = useTranslation(record.texts)`,
    `  return <p>{t('single')}{t('unnamed')}</p>`,
    `}`,
  ].join('\n'),
  'web/src/locales/en/country.json': `{ "single": "Country", "spare": "Spare", "title": "Countries", "one": "One" }`,
  'web/src/locales/de/country.json': `{ "single": "Land", "spare": "Rest", "title": "Länder", "one": "Eins" }`,
  'web/src/locales/pl/country.json': `{ "single": "Kraj", "spare": "Reszta", "title": "Kraje", "one": "Jeden" }`,
  'docs/reference/specification.md': `## ${sign}2 Screens\n1. First\n\n### Modals\n\n## ${sign}22 More\n`,
  'docs/reference/domain.md': `# Domain\n\n## Order\n\n## Order status\n`,
  'docs/decisions/001-cited.md': [
    `See (spec ${sign}9) and ${sign}3, not UStDV ${sign}17a or ${sign}17c UStDV.`,
    `[order](${domainPaper}#order)`,
    `[gone](${domainPaper}#gone)`,
    `As decided (decision 001), not (decisions 001 and ${'9'}98).`,
    `See \`server/src/app/cited.ts\`, \`server/src/app\` and \`server/src/${'app'}/lost.ts\`.`,
  ].join('\n'),
  'server/src/app/cited.ts': [
    `/** Holds (spec ${sign}2, rule 1), (spec ${sign}22), (spec ${sign}2, Modals; domain, Order`,
    ` * status) and (domain, Order). */`,
    `// (spec ${sign}7), (spec ${sign}2, rule 8), (spec ${sign}2, Windows)`,
    `// (domain, Nowhere), (domain, Order stat), (api, Lists)`,
    `// (domain, "Order"), domain: Order, spec 5`,
    `// (${apiPaper}, Lists), docs/reference/domain.md`,
    `export const cited = 'as the title of a test says (spec ${sign}6)'`,
    `// As (papers${','} By staff) and issue ${'1'}4 say; decision`,
    `// ${'9'}97, decisions 001-${'9'}96.`,
    `export const call = (domain: unknown, Order: unknown) => [domain, Order]`,
  ].join('\n'),
  'server/src/modules/order/order.document.ts': orderDocument,
  'server/src/modules/order/words.test.ts': `export const texts = { en: 'Right', de: 'Richtig', pl: 'Dobrze' }\n`,
  'server/locales/en/order.json': JSON.stringify({
    asked: 'Asked by {{name}}',
    idle: 'Nobody asks',
    days_one: '{{count}} day',
    days_other: '{{count}} days',
    columns: { title: 'Title', blank: 'Blank' },
    statuses: { new: 'New' },
    also: ['Name', 'Title'],
    whole: 'Still the English text',
  }),
  'server/locales/de/order.json': JSON.stringify({
    asked: 'Gefragt von {{namen}}',
    idle: 'Niemand fragt',
    days_one: '{{count}} Tag',
    days_other: '{{count}} Tage',
    columns: { title: 'Titel', blank: '' },
    statuses: { new: 'Neu' },
    also: [],
    whole: 'Still the English text',
  }),
  'server/locales/pl/order.json': JSON.stringify({
    asked: 'Pyta {{name}}',
    days_one: '{{count}} dzień',
    days_other: '{{count}} dni',
    columns: { title: 'Tytuł', blank: 'Puste' },
    statuses: { new: 'Nowe {status}' },
    also: 'Nazwa',
    whole: 'Nadal tekst angielski',
    extra: 'Więcej',
  }),
  'server/migrations/landed.txt': [
    '0001-first a1',
    '0003-third 7c2c9ffd8ea2c6b1ae7acb1a9e9cf2b6b8d8e56fd3d1f4c7aa1d55d2d3f1a3c5',
    '0002-late b2',
    '0004-gone c3',
  ].join('\n'),
  'server/migrations/0001-first.ts': `export const up = 1\n`,
  'server/migrations/0002-late.ts': `export const up = 1\n`,
  'server/migrations/0003-third.ts': `import { up } from '@waybill/contract/order/status'\nexport const run = up\n`,
  'server/migrations/0003-unlisted.ts': `export const up = 1\n`,
  'server/migrations/0005-older.ts': `export const up = 1\n`,
  'server/migrations/0006-newer.ts': `export const up = 1\n`,
  'server/package.json': `{ "version": "0.3.0" }`,
  'server/migrations/0134-before.ts': 'export const up = sql`drop table freight`\n',
  'server/migrations/0135-takes.ts': [
    '// drop table in words',
    'export const up = [',
    '  sql`drop table if exists freight`,',
    '  sql`alter table cargo add column weight numeric(10, 2) not null, drop column "ldm"`,',
    '  sql`alter table cargo rename column a to b`,',
    '  sql`alter table cargo alter column a set not null, alter column b type text, alter column c drop default`,',
    '  db.schema.alterTable("cargo").dropColumn("a"),',
    ']',
    '',
  ].join('\n'),
  'server/migrations/0136-adds.ts': [
    '/* rename to nothing */',
    'export const up = [',
    '  sql`create table pallet (id int not null -- drop column',
    '  )`,',
    '  sql`alter table pallet add column owner int not null, alter column id set not null`,',
    '  sql`drop table pallet`,',
    '  sql`alter table cargo add column a int not null default 1, add column b int, drop constraint c`,',
    '  sql`alter table cargo add column s text not null generated always as (a) stored`,',
    ']',
    '',
  ].join('\n'),
  'server/migrations/0137-later.ts': '// contract after: 0.2.0\nexport const up = sql`drop table freight`\n',
  'server/migrations/0139-newest.ts': `export const up = 1\n`,
  'server/migrations/0138-too-soon.ts': '// contract after: 0.3.0\nexport const up = sql`drop table freight`\n',
  'package.json': `{ "dependencies": { "loose": "^1.0.0" } }`,
  'package-lock.json': JSON.stringify({
    packages: {
      'node_modules/loose': {
        version: '1.0.0',
        resolved: 'x',
        license: 'GPL-3.0',
        optionalDependencies: { 'loose-darwin': '1.0.0' },
      },
    },
  }),
}

let folder: string
let found: Record<string, string[]>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gates-'))
  for (const [file, text] of Object.entries(house)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  for (const settings of ['biome.json', '.oxlintrc.json'])
    copyFileSync(join(import.meta.dirname, '../..', settings), join(folder, settings))
  execFileSync('git', ['init', '--quiet', folder])
  const gates = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href)
  const program = `
    import { checkCitations } from ${gates('citations.js')}
    import { checkImports } from ${gates('import-rules.js')}
    import { checkLocales } from ${gates('locales.js')}
    import { checkLockfile } from ${gates('lockfile.js')}
    import { checkExpansion, checkMigrations } from ${gates('migrations.js')}
    import { checkMoney } from ${gates('money.js')}
    import { checkFormat, checkLint } from ${gates('programs.js')}
    import { checkStatusWords } from ${gates('status-rules.js')}
    import { checkTableAccess } from ${gates('table-access.js')}
    import * as house from ${gates('house-rules.js')}
    console.log(JSON.stringify({
      imports: checkImports(),
      locales: checkLocales(),
      lockfile: await checkLockfile(),
      environment: house.checkEnvironment(),
      words: house.checkKitWords(),
      users: house.checkKitUsers(),
      migrations: checkMigrations(),
      expansion: checkExpansion(),
      tables: checkTableAccess(),
      rooms: house.checkRooms(),
      lines: house.checkLineLength(),
      files: house.checkMedian(),
      names: house.checkNames(),
      tests: house.checkTestsRun(),
      paths: house.checkForeignPaths(),
      formatters: house.checkFormatters(),
      citations: checkCitations(),
      statuses: checkStatusWords(),
      money: checkMoney(),
      lint: await checkLint(),
      format: await checkFormat(),
    }))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, WAYBILL_GATE_ROOT: folder },
  })
  found = JSON.parse(output) as Record<string, string[]>
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cases: Record<string, RegExp[]> = {
  imports: [
    /contract\/src\/kit\/money.ts:1 .*kit knows no entity/,
    /contract\/src\/order\/order.ts:1 .*does not know another entity/,
    /contract\/src\/order\/order.ts:2 imports pg: .*nothing but zod/,
    /invoice.ts → contract\/src\/order\/order.ts → contract\/src\/invoice\/invoice.ts: a cycle/,
    /(first|second).ts → contract\/src\/order\/(first|second).ts → contract\/src\/order\/(first|second).ts: a cycle/,
    /(third|fourth).ts → contract\/src\/order\/(third|fourth).ts → contract\/src\/order\/(third|fourth).ts: a cycle/,
    /server\/src\/kit\/mail.ts:1 .*a kit knows the contract's kit/,
    /order.query.ts:1 .*calls go down/,
    /order.query.ts:2 .*through its index.ts/,
    /order.query.ts:3 .*no edge from order to invoice/,
    /order.query.ts:4 .*nothing imports the app/,
    /order.query.ts:6 .*through its index.ts/,
    /order.query.ts:7 .*through its index.ts/,
    /order.routes.ts:1 .*tables are not theirs/,
    /invoice uses nothing of order any more: strike the edge/,
    /no kit knows event of the contract any more/,
    /no entity's contract knows skonto of the contract any more/,
    /badge.tsx:1 .*one direction/,
    /use-list.ts:1 .*one direction/,
    /order-page.tsx:1 .*only files made for it/,
    /values\/low.ts:1 .*each uses those below it/,
    /values\/low.ts:2 .*the room attic has no place/,
    /order-page.tsx:3 imports node:fs: .*browser/,
    /customer-form.tsx:1 .*never load the server's code/,
    /customer-reader.ts → server\/src\/modules\/customer\/rows.ts imports zod: a process of its own/,
  ],
  locales: [
    /order-page.tsx:8: there is no text order:unknown/,
    /customer-form.tsx:5: there is no text record:known/,
    /order-page.tsx:8: "Written here" is written into the page/,
    /order-page.tsx:8: "Also written" is written into the page/,
    /pl\/order.json lacks rows_few/,
    /pl\/order.json lacks rows_many/,
    /pl\/order.json lacks unused/,
    /de\/order.json has extra/,
    /de\/order.json: known has the holes "namen"/,
    /de\/order.json: whole is still the English text/,
    /web\/src\/locales\/en\/order.json: nothing asks for unused/,
    /record\/page.tsx:4: there is no text country or record:unnamed/,
    /app\/routes.tsx:2: there is no text country:create/,
    /app\/routes.tsx:2: there is no text country:saved/,
    /nothing asks for spare/,
    /server\/locales\/pl\/order.json lacks days_few/,
    /server\/locales\/pl\/order.json lacks days_many/,
    /server\/locales\/pl\/order.json lacks idle/,
    /server\/locales\/pl\/order.json: statuses.new has a hole in single braces/,
    /server\/locales\/pl\/order.json has extra/,
    /server\/locales\/pl\/order.json: also is a list in one language and a text in another/,
    /server\/locales\/de\/order.json: asked has the holes "namen"/,
    /server\/locales\/de\/order.json: columns.blank is not a text/,
    /server\/locales\/de\/order.json: whole is still the English text/,
    /server\/locales\/en\/order.json: nothing asks for idle/,
    /server\/locales\/en\/order.json: nothing asks for columns.blank/,
    /order.document.ts:6: a text in three languages is written into the code/,
    /order.document.ts:7: a text in three languages is written into the code/,
    /order.document.ts:13: textsOf takes its name written out/,
  ],
  migrations: [
    /0001-first.ts was changed after it landed: put it back/,
    /0002-late is listed behind 0003-third/,
    /0003-third.ts was changed after it landed/,
    /0004-gone.ts has landed and is not there/,
    /0003-unlisted.ts sorts before 0004-gone, which has landed/,
    /0005-older.ts is not the newest and is not listed: add to .*landed.txt: 0005-older [0-9a-f]{64}/,
    ...['0006-newer', '0134-before', '0135-takes', '0136-adds', '0137-later', '0138-too-soon'].map(
      (name) => new RegExp(`${name}.ts is not the newest and is not listed`),
    ),
    /0003-third.ts imports @waybill\/contract\/order\/status/,
  ],
  expansion: [
    /0135-takes.ts:3: drops a table, and the version before goes on working with it: only add/,
    /0135-takes.ts:4: adds a column that demands a value/,
    /0135-takes.ts:4: drops a column/,
    /0135-takes.ts:5: renames/,
    /0135-takes.ts:6: demands a value in a column/,
    /0135-takes.ts:6: changes the type of a column/,
    /0135-takes.ts:6: takes away a default/,
    /0135-takes.ts:7: takes away or renames/,
    /0138-too-soon.ts: contract after 0.3.0, which is no version before the present one, 0.3.0/,
  ],
  lockfile: [
    /loose is asked for as \^1.0.0/,
    /names a download host/,
    /has no checksum/,
    /GPL-3.0: only permissive/,
    /optional part loose-darwin/,
    /lacks ignore-scripts/,
  ],
  environment: [/mail.ts:3: process.env/],
  words: [/mail.ts:1: "order"/, /mail.ts:2: "invoice"/],
  users: [/mail.ts has no user/, /alone.ts has one user, server\/src\/modules\/order/],
  tables: [
    /user.service.ts:1: user reads order, a table of order: ask it/,
    /order.job.ts:1: order writes into user, a table of user: let it do that itself/,
    /plain.ts:1: user reads order/,
    /plain.ts:2: user writes into order/,
    /plain.ts:3: user reads order/,
    /plain.ts:4: user writes into order/,
    /plain.ts:5: user writes into order/,
    /plain.ts:6: user reads order/,
    /plain.ts:7: user reads order/,
    /plain.ts:8: user reads order/,
    /held.ts:1: backup writes into user/,
  ],
  rooms: [/web\/src\/modules\/heap holds 21 files of code/],
  lines: [
    /long.css:1: 126 characters/,
    /deploy\/Dockerfile:1: 124 characters/,
    /compose.yaml:1: 126 characters/,
    /more.yml:1: 126 characters/,
  ],
  names: [
    /order.thing.ts: the suffix .thing/,
    /order.thing.ts:1: exports have names/,
    /utils.ts: a name that says nothing/,
    /bigName.ts: file names are kebab-case/,
    /order\/index.ts: only a module of the server/,
  ],
  // What the gate says of the planted file above.
  tests: [
    /first.test.ts:2: it.skip /,
    /first.test.ts:3: it.only /,
    /first.test.ts:4: it.todo /,
    /first.test.ts:5: it.fails /,
    /first.test.ts:6: it.skipIf /,
    /first.test.ts:7: it.runIf /,
    /first.test.ts:8: test.fixme /,
    /first.test.ts:9: test.skip /,
    /first.test.ts:10: test.only /,
    /first.test.ts:11: test.skip /,
    /first.test.ts:12: skip /,
    /first.test.ts:13: skip /,
    /first.test.ts:14: xtest /,
    /first.test.ts:15: xit /,
    /first.test.ts:16: fdescribe /,
    /first.test.ts:17: skip /,
    /first.test.ts:18: only /,
    /first.test.ts:19: todo /,
    /first.test.ts:20: skip /,
  ],
  files: [/half of the files of code have 81 lines or more/],
  statuses: [
    /bill-order.ts:2: a status is compared/,
    /bill-order.ts:3: a status is compared/,
    /bill-order.ts:4: a status is compared/,
    /bill-order.ts:6: a status is compared/,
    /bill-order.ts:7: a status is compared/,
    /bill-order.ts:9: a status is compared/,
    /bill-order.ts:14: a status is compared/,
    /bill-order.ts:15: a status is compared/,
    /bill-order.ts:16: a status is compared/,
    /bill-order.ts:17: a status is compared/,
    /bill-order.ts:18: a status is compared/,
    /bill-order.ts:19: a status is compared/,
    /bill-order.ts:20: a status is compared/,
    /bill-order.ts:21: a status is compared/,
  ],
  money: [
    /fractions.ts:1: money is multiplied by a decimal fraction/,
    /fractions.ts:2: money is divided/,
    /fractions.ts:3: money is written by toFixed/,
    /fractions.ts:4: money is read by parseFloat/,
    /fractions.ts:6: money is read by parseFloat/,
    /fractions.ts:9: money is divided/,
  ],
  formatters: [/invoice\/day.ts:1: new Intl.DateTimeFormat: ask contract\/src\/kit\/intl.ts/],
  paths: [
    /here.ts:1: \/home\/j is a folder of one machine/,
    /beside.ts:1: .* is a folder beside the clone/,
    /beside.ts:1: .* is a download host/,
  ],
  lint: [/untidy.ts:2:\d+: .*debugger/],
  format: [/untidy.ts/],
  citations: [
    /cited.ts:3: .*there is no .7 in docs\/reference\/specification.md/,
    /cited.ts:3: .*2 has no rule 8/,
    /cited.ts:3: .*2 says nothing of "Windows"/,
    /cited.ts:4: .*no heading "Nowhere"/,
    /cited.ts:4: .*no heading "Order stat"/,
    /cited.ts:4: .*no heading "Lists"/,
    /cited.ts:5: .*no heading ""Order""/,
    /cited.ts:5: domain: … is cited as/,
    /cited.ts:5: spec 5 … is cited as/,
    /cited.ts:6: .* is not in the project/,
    /cited.ts:7: .*there is no .6/,
    /cited.ts:8: .*a paper that the project does not hold/,
    /cited.ts:8: .*stands outside the project/,
    /cited.ts:8: there is no decision 997/,
    /cited.ts:9: there is no decision 996/,
    /001-cited.md:1: .*there is no .9/,
    /001-cited.md:1: a number without its paper/,
    /001-cited.md:3: the link to #gone leads nowhere/,
    /001-cited.md:4: there is no decision 998/,
    /001-cited.md:5: server\/src\/app\/lost.ts is not in the project/,
  ],
}

describe.each(Object.entries(cases))('the gate for %s', (gate, patterns) => {
  it.each(patterns)('finds what was planted: %s', (pattern) => {
    expect(found[gate]?.filter((problem) => pattern.test(problem)) ?? []).not.toEqual([])
  })
})

describe('the gates', () => {
  it('let through what is allowed', () => {
    const all = Object.values(found).flat().join('\n')
    expect(all).not.toMatch(/imports kysely: a process of its own/)
    expect(all).not.toMatch(/intl.ts:1: new Intl/)
    expect(all).not.toMatch(/customer-select.tsx/)
    expect(all).not.toMatch(/(order uses nothing of credit|no kit knows preferences)/)
    expect(all).not.toMatch(/form\/high.ts:1 imports/)
    expect(all).not.toMatch(/nothing asks for (known|rows|single|title|one)/)
    expect(all).not.toMatch(/server.*nothing asks for (asked|days|columns.title|statuses|also|whole)/)
    expect(all).not.toMatch(/de\/order.json: also/)
    expect(all).not.toMatch(/order.document.ts:[45]:/)
    expect((found.citations ?? []).join('\n')).not.toMatch(/words.test.ts/)
    expect(all).not.toMatch(/0139-newest/)
    expect(all).not.toMatch(/config.ts:1: process.env/)
    expect(all).not.toMatch(/alone.ts:1: "order"/)
    expect(all).not.toMatch(/(send-mail|status).ts:\d+: a status/)
    expect(all).not.toMatch(/(whole|bar).ts:\d+: money/)
    expect(all).not.toMatch(/order.job.ts:1: order reads user/)
    expect(all).not.toMatch(/user writes into user/)
    expect(all).not.toMatch(/first.test.ts:21: .*leaves tests out/)
    expect(all).not.toMatch(/plain.ts:(9|10):/)
    expect(all).not.toMatch(/plain.ts:5: user reads/)
    expect(all).not.toMatch(/cited.ts:(1|2|10):/)
    expect(all).not.toMatch(/docs\/reference\/\w+.md:/)
    expect(all).not.toMatch(/001-cited.md:2:/)
    expect(all).not.toMatch(/there is no decision 001/)
    expect(all).not.toMatch(/cited.ts is not in the project/)
    const citations = found.citations ?? []
    expect(citations.filter((problem) => problem.includes('without its paper'))).toHaveLength(1)
    expect(citations.filter((problem) => problem.includes('cited.ts:6:'))).toHaveLength(1)
  })
})
