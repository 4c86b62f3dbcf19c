import { getTemplate, listTemplates, templateKey, type Template } from '@waybill/contract/email/template'
import type { Language } from '@waybill/contract/errors'
import { callApi } from '../../../kit/api/call-api.ts'
import type { MailIdentity } from '../template-names.ts'

/** A text by what it is, in whichever department. */
export type WantedText = MailIdentity & { language: Language }

/** What another department says in this mail; null where it has no text of this name in the language. */
export async function sourceText(id: number, wanted: WantedText, signal: AbortSignal): Promise<Template | null> {
  const key = wanted.name === null ? keyOf(wanted) : await addedKey(id, wanted, signal)
  return key === null ? null : callApi(getTemplate, { params: { id, key }, signal })
}

const keyOf = ({ type, variant, language }: WantedText): string =>
  templateKey({ type, variant: variant!, language, id: null })

async function addedKey(id: number, { name, language }: WantedText, signal: AbortSignal): Promise<string | null> {
  const { items } = await callApi(listTemplates, { params: { id }, signal })
  const row = items.find((one) => one.name?.toLocaleLowerCase() === name!.toLocaleLowerCase())
  return row?.texts.find((text) => text.language === language)?.key ?? null
}
