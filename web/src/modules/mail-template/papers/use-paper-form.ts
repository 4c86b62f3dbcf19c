import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readPaperKey } from '@waybill/contract/email/paper-key'
import {
  getPaperTemplate,
  PaperTemplate,
  paperWriteFor,
  putPaperTemplate,
  type PaperWrite,
} from '@waybill/contract/email/paper-template'
import { z } from 'zod'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../kit/api/api-error.ts'
import { callApi } from '../../../kit/api/call-api.ts'
import { useSavedNotice } from '../../../kit/form/page/saved-notice.ts'
import { readDraft, type Draft } from '../../../kit/form/state/draft-store.ts'
import type { EntityForm } from '../../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../../kit/form/state/use-entity-form.ts'
import { draftKeyOf } from '../../../kit/form/state/use-form-record.ts'
import { papersKey } from './paper-names.ts'

// A form knows its record by a number: a text is known by its department and, in the address, its key.
const PaperView = PaperTemplate.extend({ id: z.number() })
export type PaperView = z.output<typeof PaperView>

const viewOf = (template: PaperTemplate): PaperView => ({ ...template, id: template.department.id })

const formApi = (departmentId: number, key: string) => ({
  path: `departments/${departmentId}/document-templates/${key}`,
  write: paperWriteFor(readPaperKey(key)!.type),
  get: { ...getPaperTemplate, reply: PaperView },
})
type PaperApi = ReturnType<typeof formApi>
export type PaperForm = EntityForm<PaperApi, PaperWrite>

/** What a department says on a document as its form begins: as the server has it, and what was typed here before. */
export function usePaper(departmentId: number, key: string) {
  return useQuery({
    queryKey: [formApi(departmentId, key).path, departmentId, 'form'],
    queryFn: async ({ signal }): Promise<{ view: PaperView; draft: Draft<PaperWrite> | null }> => {
      const [template, draft] = await Promise.all([
        callApi(getPaperTemplate, { params: { id: departmentId, key }, signal }),
        readDraft<PaperWrite>(draftKeyOf(formApi(departmentId, key), departmentId)),
      ])
      return { view: viewOf(template), draft }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The form of one text: saved whole, over the version that was read. */
export function usePaperForm(view: PaperView, draft: Draft<PaperWrite> | null): PaperForm {
  const { t } = useTranslation('paper-template')
  const queries = useQueryClient()
  const sayThatSaved = useSavedNotice()
  const { key } = view
  return useEntityForm<PaperApi, PaperWrite>({
    api: formApi(view.id, key),
    view,
    draft,
    valuesOf: ({ mode, body }) => ({ mode, body }),
    bodyOf: (values) => values,
    send: async (body, { id, version }) => {
      try {
        return viewOf(await callApi(putPaperTemplate, { params: { id, key }, body: body as PaperWrite, version }))
      } catch (error) {
        if (!(error instanceof ApiError) || error.extra.current === undefined) throw error
        const { status, code } = error
        throw new ApiError(status, code, { ...error, extra: { current: viewOf(error.extra.current as PaperTemplate) } })
      }
    },
    onSaved: (saved) => {
      sayThatSaved({ sentence: saved.isOwn ? t('savedVersion', { version: saved.version }) : t('savedStandard') })
      void queries.invalidateQueries({ queryKey: papersKey(saved.id) })
    },
  })
}
