import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  addTemplate,
  getTemplate,
  putTemplate,
  type Template,
  type TemplateRow,
} from '@waybill/contract/email/template'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { textOf } from '../new-text.ts'
import { templatesKey } from '../template-names.ts'
import { TakeOverWindow } from './take-over-window.tsx'

interface TakeOverInListProps {
  departmentId: number
  row: TemplateRow
  /** The one that was chosen first */
  language: Language
  onClose: () => void
}

/** Writes the text of another department over the version that stood here when it was asked. */
export function TakeOverInList({ departmentId, row, language: first, onClose }: TakeOverInListProps) {
  const { t } = useTranslation('mail-template')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [language, setLanguage] = useState(first)
  const [error, setError] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const { type, variant, name } = row
  const key = row.texts.find((text) => text.language === language)?.key ?? null
  const params = { id: departmentId, key: key ?? '' }
  const here = useQuery({
    queryKey: ['take-over-into', departmentId, key],
    queryFn: ({ signal }) => callApi(getTemplate, { params, signal }),
    enabled: key !== null,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const write = (from: Template): Promise<Template> => {
    const text = { ...textOf(here.data ?? from), subject: from.subject, blocks: from.blocks }
    return key === null
      ? callApi(addTemplate, { params: { id: departmentId }, body: { ...text, name: name!, language } })
      : callApi(putTemplate, { params, body: text, version: here.data!.version })
  }
  const take = async (from: Template) => {
    setBusy(true)
    try {
      const { version } = await write(from)
      await queries.invalidateQueries({ queryKey: templatesKey(departmentId) })
      const title = t('takeOver.done', { department: from.department.title, version })
      notify({ tone: 'ok', title, closeLabel: t('close') })
      onClose()
    } catch (refusal) {
      // What stands here by now is asked about anew.
      setError(errorText(refusal))
      void here.refetch()
      void queries.invalidateQueries({ queryKey: templatesKey(departmentId) })
      setBusy(false)
    }
  }
  return (
    <TakeOverWindow
      departmentId={departmentId}
      wanted={{ type, variant, name, language }}
      warning={here.data?.isOwn === true ? t('takeOver.replaces', { language: LANGUAGE_NAMES[language] }) : null}
      error={error}
      isBusy={isBusy}
      isReady={key === null || here.data !== undefined}
      onTake={(text) => void take(text)}
      onClose={onClose}
    >
      <Segmented
        label={t('add.language')}
        value={language}
        onChange={(chosen) => {
          setLanguage(chosen)
          setError(undefined)
        }}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
      />
    </TakeOverWindow>
  )
}
