import { createRoute, lazyRouteComponent, type AnyRoute, type RouteComponent } from '@tanstack/react-router'
import type { Access } from '@waybill/contract/permissions'
import { loadTexts } from '../kit/i18n/i18n.ts'
import type { RecordDescription, RecordWidgets, SimpleRecord } from '../kit/record/simple-record.ts'
import type { FoundByList, MenuEntry } from './screen.ts'

const fileOf = (words: string): string => words.split(':')[0]!

interface Screens<Path extends string> {
  /** Of the list; a record stands at `<path>/$id/edit`, a new one is made at `<path>/create` */
  path: Path
  /** Where `title` of the list, `create` and `one` of the forms stand: a file of texts, or a part, as `file:part` */
  words: string
  access: Access
  /** Of the form of a new one, where not all who read may write */
  writeAccess?: Access
  menu: MenuEntry
  found?: FoundByList
  /** Of the list, as in `StaticDataRouteOption` */
  isWideList?: boolean
}

interface Pages {
  /** Other texts that list and forms need */
  texts?: readonly string[]
  /** Other texts that the forms need */
  formTexts?: readonly string[]
  list: RouteComponent
  create: RouteComponent
  edit: RouteComponent
}

/** The three screens of a record: its list, the form of a new one, the form of one that is there. */
export function recordScreens<Parent extends AnyRoute, const Path extends string>(
  parent: Parent,
  {
    path,
    words,
    access,
    writeAccess = access,
    menu,
    found,
    isWideList = false,
    texts = [],
    formTexts = [],
    list,
    create,
    edit,
  }: Screens<Path> & Pages,
) {
  const titleKey = (word: string) => `${words}${words.includes(':') ? '.' : ':'}${word}`
  const getParentRoute = () => parent
  const loadListTexts = () => loadTexts('list', 'list-page', 'form', ...texts, fileOf(words))
  const loadFormTexts = () => loadTexts('list', 'form', 'history', ...texts, ...formTexts, fileOf(words))
  return [
    createRoute({
      getParentRoute,
      path,
      staticData: {
        titleKey: titleKey('title'),
        access,
        menu: [menu],
        isWideList,
        ...(found === undefined ? {} : { found }),
      },
      loader: loadListTexts,
      component: list,
    }),
    createRoute({
      getParentRoute,
      path: `${path}/create`,
      staticData: { titleKey: titleKey('create'), access: writeAccess },
      loader: loadFormTexts,
      component: create,
    }),
    createRoute({
      getParentRoute,
      path: `${path}/$id/edit`,
      staticData: { titleKey: titleKey('one'), access },
      loader: loadFormTexts,
      component: edit,
    }),
  ] as const
}

// What all simple records say alike.
const SHARED_TEXTS = 'record'

interface Described {
  record: () => Promise<RecordDescription>
  /** What the forms need beside plain fields */
  widgets?: () => Promise<RecordWidgets>
}

const listPage = () => import('../modules/record/record-list-page.tsx')
const formPage = () => import('../modules/record/record-form-page.tsx')
const noWidgets = (): Promise<RecordWidgets> => Promise.resolve({})

/** The three screens of a record that is described rather than drawn. */
export function simpleRecordScreens<Parent extends AnyRoute, const Path extends string>(
  parent: Parent,
  { record, widgets = noWidgets, ...screens }: Screens<Path> & Described,
) {
  const { words } = screens
  const described = async (): Promise<SimpleRecord> => ({
    ...(await record()),
    words,
    // The frame's file holds words of records that have no texts of their own.
    texts: fileOf(words) === 'shell' ? [SHARED_TEXTS] : [fileOf(words), SHARED_TEXTS],
  })
  const page = (load: () => Promise<RouteComponent>) => lazyRouteComponent(async () => ({ default: await load() }))
  return recordScreens(parent, {
    ...screens,
    texts: [SHARED_TEXTS],
    list: page(async () => {
      const [{ recordListPage }, one] = await Promise.all([listPage(), described()])
      return recordListPage(one)
    }),
    create: page(async () => {
      const [{ recordNewPage }, one, drawn] = await Promise.all([formPage(), described(), widgets()])
      return recordNewPage(one, drawn)
    }),
    edit: page(async () => {
      const [{ recordFormPage }, one, drawn] = await Promise.all([formPage(), described(), widgets()])
      return recordFormPage(one, drawn)
    }),
  })
}
