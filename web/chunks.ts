import { globSync } from 'node:fs'
import { join } from 'node:path'

/*
 * What lies in one file compresses better than the same in forty, and names fewer others: some 10 kB on every page.
 * Each group is one file of the build.
 */

interface Named {
  packages?: readonly string[]
  /** Files of ours from the project's folder, without their endings; several by `{a,b}` */
  files?: readonly string[]
}

const root = join(import.meta.dirname, '..')

/** `a/{b,c}` → `a/b`, `a/c`. */
function spread(path: string): string[] {
  const [, before, names, after] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path) ?? []
  if (names === undefined) return [path]
  return names.split(',').flatMap((name) => spread(`${before}${name}${after}`))
}

const slashes = (path: string) => path.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]')

/** What of the build belongs to a group. Throws where a file is named that is not there: it has moved. */
function testOf({ packages = [], files = [] }: Named): RegExp {
  const paths = files.flatMap(spread)
  for (const path of paths) if (globSync(`${path}.*`, { cwd: root }).length === 0) throw new Error(`no file ${path}.*`)
  const folders = packages.flatMap(spread).map((name) => `node_modules/${name}/`)
  return new RegExp(`[\\\\/](?:${[...folders, ...paths.map((path) => `${path}.`)].map(slashes).join('|')})`)
}

const MANTINE = '@mantine/core/esm/components'
const ORDER = 'web/src/modules/order'

/** The packages of every page. */
const base = testOf({
  packages: [
    '{react,react-dom,scheduler,use-sync-external-store,i18next,react-i18next,clsx}',
    '@mantine/hooks',
    '@mantine/core/esm/core',
    `${MANTINE}/{UnstyledButton,Button,Loader,Input,TextInput,Transition,CloseButton,Paper}`,
    '@tanstack/{react-router,router-core,history,react-store,store}',
  ],
})

/** What of ours every page needs, the login too; apart from the packages, which change less often. */
const start = testOf({
  files: [
    'contract/src/{errors,permissions,session}',
    'contract/src/kit/{endpoint,intl}',
    'web/src/kit/api/{api-error,call-api,load-error,missing-part,query-string,random-key,refresh,request,send-form}',
    'web/src/kit/i18n/{error-text,format,i18n,languages}',
    'web/src/kit/form/state/last-typed',
    'web/src/kit/record/screen-title',
    'web/src/kit/session/{session,sign-in-step,token-store}',
    'web/src/ui/notices/notice',
    'web/src/ui/fields/segmented',
    'web/src/ui/marks/{icon,icon-button,marks,status-badge}',
    'web/src/ui/page/density',
    'web/src/app/{error-page,guards}',
  ],
})

/** Those behind the sign-in. */
const inside = testOf({
  packages: [
    '@floating-ui',
    'tabbable',
    '@tanstack/{react-query,query-core}',
    `${MANTINE}/{Menu,Popover,Portal,FocusTrap}`,
  ],
})

/** What chooses one of many: forms have it from the start, a list once somebody filters it. */
const choosing = testOf({ packages: [`${MANTINE}/{Combobox,Select,PillsInput,Pill,ScrollArea}`] })

const form = testOf({
  packages: ['idb-keyval'],
  files: [
    'contract/src/kit/number-text',
    'web/src/kit/form/state/{use-entity-form,entity-form,change-store,first-values}',
    'web/src/kit/form/state/{use-draft-keeping,use-kept-typing,use-problems,use-sending}',
    'web/src/kit/api/{use-intention,kept-data}',
    'web/src/kit/form/state/{values,value-store,form-context,use-form-record,draft-store,focus-path}',
    'web/src/kit/form/page/{form-messages,leave-guard,save-bar,back-link,unsaved-notice}',
    'web/src/kit/form/fields/fields',
    'web/src/kit/list/reference/{reference-select,reference-options,marked-first,late-choice}',
    'web/src/ui/fields/{check-field,select-field,take-on-tab}',
  ],
})

/** Fields that forms of records have, and editors of texts have not; and their history. */
const formFields = testOf({
  files: [
    'web/src/kit/form/fields/{reference-fields,grid-keys,grid-select}',
    'web/src/kit/list/reference/reference-multi-select',
    'web/src/modules/department/department-select',
    'web/src/modules/customer/customer-select',
    'web/src/modules/user/user-select',
    'web/src/modules/type-list/type-select',
    'web/src/modules/audit-entry/{history-list-section,rail-section}',
  ],
})

/** What the two pages of an order share. */
const orderForm = testOf({
  files: [
    'contract/src/order/{cargo,money,lane,presence}',
    'contract/src/order/termin/{termin-text,termin-doubts,holidays}',
    `${ORDER}/values/{draft,parties,value-words,labels,instant-words,stop-words,order-form}`,
    `${ORDER}/grid/{choices,grid,section,paste,key-hints,row-problems,cell-error}`,
    'web/src/modules/{customer/contact-select,partner/person-making-select}',
    `${ORDER}/cargo/{cargo-drag,cargo-frame,cargo-grid,cargo-row,cargo-figures,use-cargo-editing,vehicle-load}`,
    `${ORDER}/cargo/{trailer-load,trailer-bar}`,
    `${ORDER}/stops/{termin-input,termin-field,termin-doubts,use-stop-moves}`,
    `${ORDER}/grid/{refused-address,dialog-fields}`,
    `${ORDER}/copy/use-copy-order`,
    `${ORDER}/form/mail-dock`,
    `${ORDER}/rail/rail-tabs`,
    `${ORDER}/blocks/vat-field`,
    `${ORDER}/routes/same-lane`,
    `${ORDER}/status/status-moves`,
  ],
})

/** What lists and forms of orders say of one: four small files that would be four requests. */
const orderSays = testOf({ files: [`${ORDER}/values/{paths,money}`, `${ORDER}/status/{marks,status-badge}`] })

/**
 * What an order looks like, and what shapes are said with: the login needs neither. Shapes are made as they load:
 * whatever they are made of lies in the same file, or before it.
 */
const shapes = testOf({
  files: [
    'web/src/kit/shapes/late-zod',
    'contract/src/kit/{fields,local-time,text,vat-category,issues,paging,resource}',
    'contract/src/order/{order,status,schedule,merge,papers/pod}',
    'contract/src/order/termin/termin',
  ],
})

/** What shapes check with: lists read their address by it, forms need it once somebody is at them. */
const checking = testOf({ packages: ['zod'], files: ['web/src/kit/shapes/check'] })

/** What other records look like that the forms of orders name: no list of orders reads them. */
const furtherShapes = testOf({
  files: [
    'contract/src/{customer,carrier-company,company,document,email,user,department,type-list,country}',
    'contract/src/audit/audit-entry',
    'contract/src/invoice/{invoice,status}',
    'contract/src/order/known-places',
    'contract/src/kit/{bank/bank,import,earth/address,lookalike,expiry,titles}',
    // What these are made of: small files that would be as many requests.
    'contract/src/{reminder/terms,skonto/skonto,e-invoice/format,e-invoice/ksef-states}',
    'contract/src/bookkeeping/{account-number,settings}',
  ],
})

/** What every list is made of. */
const list = testOf({
  files: [
    'web/src/kit/list/page/{use-list,list-page,list-table,list-parts,list-address,list-cursors,paging}',
    'web/src/kit/list/page/{row-in-hand,row-selection,rows-in-place,export-menu}',
    'web/src/kit/list/filter/{filter-bar,search-field}',
    'web/src/kit/list/columns/{chosen-columns,column-menu,saved-views,standard-view,view-menu}',
    'web/src/ui/page/pager',
  ],
})

/** What hears of changes: three small files that would be three requests. */
const live = testOf({ files: ['web/src/kit/live/{use-live-changes,live-changes}', 'contract/src/event'] })

/** Small parts of ours on every page behind the sign-in: eleven files that would be eleven requests. */
const frame = testOf({
  files: [
    'contract/src/preferences',
    'web/src/kit/list/columns/preferences',
    'web/src/kit/list/reference/references',
    'web/src/kit/shortcuts/shortcuts',
    'web/src/ui/notices/notify',
    'web/src/ui/page/page-head',
    'web/src/ui/marks/skeleton',
    'web/src/ui/fields/use-steady',
    'web/src/app/shell/{use-speak,use-menu,menu-anchor}',
  ],
})

/** What opens a window: lists and forms use it alike, and it uses neither of them. */
const windows = testOf({
  files: ['web/src/ui/windows/{confirm-modal,held-keys,late-window,focus-back,fetch-on-touch}'],
})

/** What the list and the form of every simple record need. */
const simpleRecord = testOf({
  files: ['web/src/kit/record/simple-record', 'web/src/modules/record/record-texts'],
})

export const CHUNKS = [
  // What is carried by hand is a notice on a telephone alone, which comes later.
  { name: 'base', test: new RegExp(`^(?!.*use-drag).*?(?:${base.source})`) },
  { name: 'start', test: start, includeDependenciesRecursively: false },
  { name: 'inside', test: inside },
  // A field of several tags, on few pages, brings its dragging along.
  { name: 'choosing', test: new RegExp(`^(?!.*use-pills-reorder).*?(?:${choosing.source})`) },
  { name: 'form', test: form, includeDependenciesRecursively: false },
  { name: 'form-fields', test: formFields, includeDependenciesRecursively: false },
  { name: 'order-form', test: orderForm, includeDependenciesRecursively: false },
  { name: 'list', test: list, includeDependenciesRecursively: false },
  { name: 'live', test: live, includeDependenciesRecursively: false },
  { name: 'frame', test: frame, includeDependenciesRecursively: false },
  { name: 'order-says', test: orderSays, includeDependenciesRecursively: false },
  { name: 'simple-record', test: simpleRecord, includeDependenciesRecursively: false },
  { name: 'windows', test: windows, includeDependenciesRecursively: false },
  { name: 'checking', test: checking, includeDependenciesRecursively: false },
  { name: 'shapes', test: shapes, includeDependenciesRecursively: false },
  { name: 'further-shapes', test: furtherShapes, includeDependenciesRecursively: false },
]

// Files that the page itself or its frame asks for.
const FIRST = new Set(
  [
    'rolldown-runtime base start inside shell frame shapes menu-anchor notify order-says preferences preload-helper',
    'references shortcuts use-menu use-speak use-steady windows',
  ].flatMap((names) => names.split(' ')),
)

/** Whether a script of the build is there before any part that is loaded later, which so need not name it. */
export function isAlreadyThere(path: string): boolean {
  const [, name] = /([^/]+)-[\w-]{7}\.js$/.exec(path) ?? []
  return FIRST.has(name!)
}
