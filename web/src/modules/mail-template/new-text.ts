import {
  addTemplate,
  getTemplate,
  putTemplate,
  removeTemplate,
  type Template,
  type TemplateWrite,
} from '@waybill/contract/email/template'
import type { Language } from '@waybill/contract/errors'
import { callApi } from '../../kit/api/call-api.ts'
import { newKey } from '../../kit/form/state/values.ts'

/** What a department says in a mail, without what stands around it. */
export const textOf = ({ subject, blocks, replyTo, isOn }: TemplateWrite): TemplateWrite => ({
  subject,
  blocks,
  replyTo,
  isOn,
})

/** What a mail by hand begins with: the salutation, room for the words, the signature. */
const firstWords = (name: string): TemplateWrite => ({
  subject: [{ type: 'text', text: name }],
  blocks: [
    {
      id: newKey(),
      kind: 'paragraph',
      onlyIf: null,
      text: [
        {
          type: 'paragraph',
          content: [
            { type: 'variable', attrs: { key: 'contact.salutation', fallback: null } },
            { type: 'text', text: ',' },
          ],
        },
      ],
    },
    { id: newKey(), kind: 'paragraph', onlyIf: null, text: [{ type: 'paragraph' }] },
    { id: newKey(), kind: 'signature', onlyIf: null, lines: ['caseWorker', 'phone', 'email', 'department'] },
  ],
  replyTo: 'caseWorker',
  isOn: true,
})

/** Adds a text of a name of the department's own. Throws ApiError, `taken` at `name` among them. */
export const addText = (departmentId: number, name: string, language: Language): Promise<Template> =>
  callApi(addTemplate, { params: { id: departmentId }, body: { ...firstWords(name), name, language } })

/** Adds a language to a name of the department's own, with the words of one that it has. */
export async function addLanguage(departmentId: number, fromKey: string, language: Language): Promise<Template> {
  const from = await callApi(getTemplate, { params: { id: departmentId, key: fromKey } })
  return callApi(addTemplate, { params: { id: departmentId }, body: { ...textOf(from), name: from.name!, language } })
}

/** Goes back to the standard and answers what takes it back: the same words, as the next version. */
export async function backToStandard(template: Template): Promise<() => Promise<Template>> {
  const params = { id: template.department.id, key: template.key }
  await callApi(removeTemplate, { params, version: template.version })
  return () =>
    template.name === null
      ? callApi(putTemplate, { params, body: textOf(template), version: 0 })
      : callApi(addTemplate, {
          params: { id: params.id },
          body: { ...textOf(template), name: template.name, language: template.language },
        })
}
