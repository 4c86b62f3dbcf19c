import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getTemplate,
  putTemplate,
  readTemplateKey,
  Template,
  templateWriteFor,
  type TemplateWrite,
} from '@waybill/contract/email/template'
import { z } from 'zod'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../kit/api/api-error.ts'
import { callApi } from '../../../kit/api/call-api.ts'
import { useSavedNotice } from '../../../kit/form/page/saved-notice.ts'
import { readDraft, type Draft } from '../../../kit/form/state/draft-store.ts'
import type { EntityForm } from '../../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../../kit/form/state/use-entity-form.ts'
import { draftKeyOf } from '../../../kit/form/state/use-form-record.ts'
import { newKey } from '../../../kit/form/state/values.ts'
import { textOf } from '../new-text.ts'
import { templatesKey } from '../template-names.ts'

// A form knows its record by a number: a text is known by its department and, in the address, its key.
const TemplateView = Template.extend({ id: z.number() })
export type TemplateView = z.output<typeof TemplateView>

const viewOf = (template: Template): TemplateView => ({ ...template, id: template.department.id })

const formApi = (departmentId: number, key: string) => ({
  path: `departments/${departmentId}/email-templates/${key}`,
  write: templateWriteFor(readTemplateKey(key) ?? { type: 'other_emails', variant: null }),
  get: { ...getTemplate, reply: TemplateView },
})
export type TemplateApi = ReturnType<typeof formApi>
export type TemplateForm = EntityForm<TemplateApi, TemplateWrite>

/** A text as its form begins: as the server has it, and what was typed here before. */
export function useTemplate(departmentId: number, key: string) {
  return useQuery({
    queryKey: [formApi(departmentId, key).path, departmentId, 'form'],
    queryFn: async ({ signal }): Promise<{ view: TemplateView; draft: Draft<TemplateWrite> | null }> => {
      const [template, draft] = await Promise.all([
        callApi(getTemplate, { params: { id: departmentId, key }, signal }),
        readDraft<TemplateWrite>(draftKeyOf(formApi(departmentId, key), departmentId)),
      ])
      return { view: viewOf(template), draft }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A block that comes back after another person removed it has a key in place of its id. */
const withIds = ({ blocks, ...rest }: TemplateWrite): TemplateWrite => ({
  ...rest,
  blocks: blocks.map((given) => {
    const { key, ...block } = given as typeof given & { key?: string }
    return { ...block, id: block.id ?? key ?? newKey() } as typeof given
  }),
})

/** The form of one text: saved whole, over the version that was read. */
export function useTemplateForm(view: TemplateView, draft: Draft<TemplateWrite> | null): TemplateForm {
  const { t } = useTranslation('mail-template')
  const queries = useQueryClient()
  const sayThatSaved = useSavedNotice()
  const { key } = view
  return useEntityForm<TemplateApi, TemplateWrite>({
    api: formApi(view.id, key),
    view,
    draft,
    valuesOf: textOf,
    bodyOf: (values) => values,
    tidy: withIds,
    send: async (body, { id, version }) => {
      try {
        return viewOf(await callApi(putTemplate, { params: { id, key }, body: body as TemplateWrite, version }))
      } catch (error) {
        if (!(error instanceof ApiError) || error.extra.current === undefined) throw error
        const { status, code } = error
        throw new ApiError(status, code, { ...error, extra: { current: viewOf(error.extra.current as Template) } })
      }
    },
    onSaved: (saved) => {
      sayThatSaved({ sentence: t('saved', { version: saved.version }) })
      void queries.invalidateQueries({ queryKey: templatesKey(saved.id) })
    },
  })
}
