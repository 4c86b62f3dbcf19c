import { departmentApi } from '@waybill/contract/department'
import { EMAIL_TYPES } from '@waybill/contract/email'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import {
  addTemplate,
  getTemplate,
  listSampleOrders,
  listTemplates,
  listTemplateVersions,
  previewTemplate,
  putTemplate,
  readTemplateKey,
  removeTemplate,
  templateKey,
  type RenderedMail,
  type Template,
  type TemplateRow,
  type TemplateWrite,
} from '@waybill/contract/email/template'
import { LANGUAGES } from '@waybill/contract/errors'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Inline, VariableNode } from '@waybill/contract/kit/rich-text'
import type { MailBlock } from '@waybill/contract/mail-blocks'
import { pageOf, refusal, server } from '../kit/fake-server.ts'
import { departmentOf } from './department.ts'
import { answerSnippets } from './snippet.ts'
import { ANNA, FTL_WEST } from './master-data.ts'

const EDITED_AT = '2026-11-24T09:00:00Z'

export const words = (text: string): { type: 'text'; text: string } => ({ type: 'text', text })
export const valueOf = (key: string, fallback: string | null = null): VariableNode => ({
  type: 'variable',
  attrs: { key, fallback },
})
export const paragraphOf = (id: string, ...content: Inline[]): MailBlock => ({
  id,
  kind: 'paragraph',
  onlyIf: null,
  text: [{ type: 'paragraph', content }],
})

const salutation = paragraphOf('greeting', valueOf('contact.salutation'), words(','))
const signature: MailBlock = {
  id: 'end',
  kind: 'signature',
  onlyIf: null,
  lines: ['caseWorker', 'phone', 'email', 'department', 'company'],
}

/** What the standard says of driver and plate, in English. */
const DRIVER_TEXT: TemplateWrite = {
  subject: [words('Driver and plate for '), valueOf('order.reference'), words(': '), valueOf('driver.plate')],
  blocks: [
    salutation,
    paragraphOf('vehicle', words('This vehicle will load your order '), valueOf('order.reference'), words(':')),
    {
      id: 'facts',
      kind: 'facts',
      onlyIf: null,
      rows: [
        { label: 'Plate', variable: 'driver.plate' },
        { label: 'Driver', variable: 'driver.name' },
        { label: 'Driver’s phone', variable: 'driver.phone' },
        { label: 'Vehicle', variable: 'route.vehicleType' },
        { label: 'Our order number', variable: 'order.number' },
      ],
    },
    {
      id: 'stops',
      kind: 'stops',
      onlyIf: null,
      columns: ['number', 'time', 'action', 'company', 'town', 'reference'],
    },
    paragraphOf('pass', words('Please pass the plate on to the loading place.')),
    {
      ...paragraphOf('cold', words('Temperature in the trailer: '), valueOf('order.temperature')),
      onlyIf: { variable: 'order.temperature', equals: null },
    },
    {
      ...paragraphOf('danger', words('Dangerous goods: '), valueOf('order.adr')),
      onlyIf: { variable: 'order.adr', equals: null },
    },
    paragraphOf('regards', words('Kind regards')),
    signature,
  ],
  replyTo: 'caseWorker',
  isOn: true,
}

/** What it says in a mail that speaks of no driver. */
const ORDER_TEXT: TemplateWrite = {
  subject: [words('Your order '), valueOf('order.reference')],
  blocks: [salutation, paragraphOf('order', words('Thank you for your order.')), signature],
  replyTo: 'caseWorker',
  isOn: true,
}

const standardOf = (key: string): TemplateWrite => (key.startsWith('driver_information.') ? DRIVER_TEXT : ORDER_TEXT)

const SAMPLE: Readonly<Record<string, string>> = {
  'contact.salutation': 'Guten Tag Herr Jansen',
  'order.reference': 'ZT/11/0341',
  'order.number': '26-00007',
  'order.adr': 'UN 1263, PAINT, 3, III',
  'driver.plate': 'PO 4XK 21',
  'driver.name': 'Marek Nowak',
}

const said = (content: readonly Inline[]): string =>
  content
    .map((node) => {
      if (node.type === 'text') return node.text
      return node.type === 'variable' ? (SAMPLE[node.attrs.key] ?? node.attrs.fallback ?? '–') : ' '
    })
    .join('')

const linesOf = (block: MailBlock): string[] => {
  if (block.kind === 'heading') return [said(block.text)]
  if (block.kind !== 'paragraph') return []
  return block.text.map((node) => (node.type === 'paragraph' ? said(node.content ?? []) : ''))
}

const isLeftOut = ({ onlyIf }: MailBlock): boolean => {
  if (onlyIf === null) return false
  const value = SAMPLE[onlyIf.variable]
  return value === undefined || (onlyIf.equals !== null && !onlyIf.equals.includes(value))
}

/** The mail that a text makes of the built-in example, as far as its running words go. */
function render({ subject, blocks }: TemplateWrite): RenderedMail {
  const lines = blocks.filter((block) => !isLeftOut(block)).flatMap(linesOf)
  const body = lines.map((line) => `<p>${line}</p>`).join('')
  return {
    to: 'jansen@nordlicht.example',
    from: 'ftl-west@waybill.example',
    subject: said(subject),
    html: `<!doctype html><html lang="en"><head><title>Mail</title></head><body>${body}</body></html>`,
    text: lines.join('\n'),
    holes: [],
    leftOut: blocks.filter(isLeftOut).map(({ id }) => id),
    values: { ...SAMPLE },
    order: null,
  }
}

type Versions = { version: number; text: TemplateWrite }[]

interface Kept {
  department: Reference
  key: string
  name: string | null
  version: number
  text: TemplateWrite
}

/** The texts of departments as the server keeps them. */
export interface StoredTemplates {
  /** What one says now */
  now: (key: string, department?: Reference) => Template
  /** Somebody else writes this meanwhile */
  write: (key: string, text: Partial<TemplateWrite>, department?: Reference) => Template
}

/**
 * Keeps the texts of these departments: each is the standard until it is written, what is written is the next version,
 * and a version that is not the newest is refused with the text as it is now.
 */
export function keepTemplates(departments: readonly Reference[] = [FTL_WEST]): StoredTemplates {
  let texts: Kept[] = []
  const versions = new Map<string, Versions>()
  let lastAdded = 700
  const departmentAt = (id: number) => departments.find((one) => one.id === id)!
  const find = (id: number, key: string) => texts.find((one) => one.department.id === id && one.key === key)
  const versionsOf = (id: number, key: string): Versions => {
    const kept = versions.get(`${id} ${key}`) ?? []
    versions.set(`${id} ${key}`, kept)
    return kept
  }
  const viewOf = (id: number, key: string): Template => {
    const { type, variant, language } = readTemplateKey(key)!
    const own = find(id, key)
    return {
      key,
      version: own?.version ?? 0,
      department: departmentAt(id),
      type,
      variant,
      language: language ?? languages.get(key)!,
      name: own?.name ?? null,
      ...(own?.text ?? standardOf(key)),
      isOwn: own !== undefined,
      editedAt: own === undefined ? null : EDITED_AT,
      editedBy: own === undefined ? null : ANNA,
    }
  }
  const languages = new Map<string, Template['language']>()
  const store = (id: number, key: string, text: TemplateWrite, name: string | null): Template => {
    const kept = versionsOf(id, key)
    const version = kept.length + 1
    kept.unshift({ version, text })
    texts = texts.filter((one) => one !== find(id, key))
    texts.push({ department: departmentAt(id), key, name, version, text })
    return viewOf(id, key)
  }
  const isThere = (id: number, key: string) => {
    const known = readTemplateKey(key)
    return known !== null && (known.id === null || find(id, key) !== undefined)
  }

  server.answer(
    departmentApi.list,
    pageOf(departments.map(({ id, title }) => departmentOf({ id, abbreviation: title }))),
  )
  server.answer(departmentApi.get, ({ params }) => {
    const { id, title } = departmentAt(params.id)
    return departmentOf({ id, abbreviation: title })
  })
  server.answer(getTemplate, ({ params: { id, key } }) => (isThere(id, key) ? viewOf(id, key) : refusal('not_found')))
  server.answer(putTemplate, ({ params: { id, key }, body, version }) => {
    const before = viewOf(id, key)
    return version === before.version
      ? store(id, key, body, before.name)
      : refusal('stale_version', { current: before })
  })
  server.answer(removeTemplate, ({ params: { id, key }, version }) => {
    const before = viewOf(id, key)
    if (!before.isOwn) return refusal('not_found')
    if (version !== before.version) return refusal('stale_version', { current: before })
    texts = texts.filter((one) => one !== find(id, key))
    return {}
  })
  server.answer(addTemplate, ({ params: { id }, body: { name, language, ...text } }) => {
    lastAdded += 1
    languages.set(String(lastAdded), language)
    return store(id, String(lastAdded), text, name)
  })
  server.answer(listTemplateVersions, ({ params: { id, key } }) => ({
    items: versionsOf(id, key).map(({ version, text }) => ({
      version,
      ...text,
      editedAt: EDITED_AT,
      editedBy: ANNA,
    })),
  }))
  server.answer(listTemplates, ({ params: { id } }) => {
    const cellOf = (key: string | null, language: Template['language']): TemplateRow['texts'][number] => {
      const own = key === null ? undefined : find(id, key)
      return {
        key,
        language,
        source: own !== undefined ? 'own' : key === null ? 'missing' : 'standard',
        isOn: own?.text.isOn ?? true,
        editedAt: own === undefined ? null : EDITED_AT,
        editedBy: own === undefined ? null : ANNA,
      }
    }
    const known = EMAIL_TYPES.flatMap((type) =>
      EMAIL_RULES[type].variants.map((variant) => ({
        type,
        variant,
        name: null,
        sentCount: 0,
        texts: LANGUAGES.map((language) => cellOf(templateKey({ type, variant, language, id: null }), language)),
      })),
    )
    const added = texts.filter((one) => one.department.id === id && one.name !== null)
    return {
      items: [
        ...known,
        ...[...Map.groupBy(added, ({ name }) => name)].map(([name, own]) => ({
          type: 'other_emails' as const,
          variant: null,
          name,
          sentCount: 0,
          texts: LANGUAGES.map((language) =>
            cellOf(own.find(({ key }) => languages.get(key) === language)?.key ?? null, language),
          ),
        })),
      ],
    }
  })
  server.answer(previewTemplate, ({ body }) => render(body.text))
  server.answer(listSampleOrders, { items: [] })
  answerSnippets()
  return {
    now: (key, department = FTL_WEST) => viewOf(department.id, key),
    write: (key, text, department = FTL_WEST) => {
      const { subject, blocks, replyTo, isOn, name } = viewOf(department.id, key)
      return store(department.id, key, { subject, blocks, replyTo, isOn, ...text }, name)
    },
  }
}
