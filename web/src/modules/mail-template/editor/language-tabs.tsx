import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { listTemplates, type TemplateRow } from '@waybill/contract/email/template'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import { addLanguage } from '../new-text.ts'
import { shortLanguage, templatePath, templatesKey } from '../template-names.ts'
import classes from './editor.module.css'
import type { TemplateView } from './use-template-form.ts'

/** The same mail in the other languages. */
export function LanguageTabs({ template }: { template: TemplateView }) {
  const { t } = useTranslation('mail-template')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const { id, key, name, type, variant, language } = template
  const { data } = useQuery({
    queryKey: templatesKey(id),
    queryFn: ({ signal }) => callApi(listTemplates, { params: { id }, signal }),
  })
  const isSameMail = (row: TemplateRow) =>
    name === null ? row.type === type && row.variant === variant : row.name === name
  const texts = data?.items.find(isSameMail)?.texts ?? []
  const open = async (chosen: Language) => {
    if (chosen === language) return
    const known = texts.find((text) => text.language === chosen)?.key
    if (known != null) {
      await navigate({ to: templatePath(id, known) })
      return
    }
    if (texts.length === 0) return
    try {
      const made = await addLanguage(id, key, chosen)
      await queries.invalidateQueries({ queryKey: templatesKey(id) })
      await navigate({ to: templatePath(id, made.key) })
    } catch (error) {
      notify({ tone: 'danger', title: t('notChanged'), detail: errorText(error), closeLabel: t('close') })
    }
  }
  return (
    <div className={classes.languages}>
      <TabBar
        label={t('languages')}
        current={language}
        onSelect={(chosen) => void open(chosen)}
        tabs={LANGUAGES.map((one) => {
          const text = texts.find((cell) => cell.language === one)
          const source = one === language ? (template.isOwn ? 'own' : 'standard') : text?.source
          return {
            key: one,
            label: (
              <>
                {LANGUAGE_NAMES[one]}
                {source === undefined ? null : (
                  <span className={classes.source}>
                    {source === 'missing' ? `${t('cell.missing')} → ${shortLanguage('en')}` : t(`cell.${source}`)}
                  </span>
                )}
              </>
            ),
          }
        })}
      />
    </div>
  )
}
