import type { IntakeMail } from '@waybill/contract/intake/intake'
import { deleteTaughtRule, listTaughtRules, type LearnedRuleRow } from '@waybill/contract/intake/learned-rule'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { notify } from '../../../ui/notices/notify.tsx'

/** Says after a save what was learned of the mail, with a way to forget it at once. */
export function useTaughtNotice({ id }: Pick<IntakeMail, 'id'>): () => Promise<void> {
  const { t } = useTranslation(['learned-rule', 'common'])
  const errorText = useErrorText()
  const closeLabel = t('common:close')
  const forget = async (rules: readonly LearnedRuleRow[]) => {
    try {
      for (const { id: ruleId } of rules) await callApi(deleteTaughtRule, { params: { id, ruleId } })
      notify({ tone: 'ok', title: t('taught.forgotten'), closeLabel })
    } catch (error) {
      notify({ tone: 'danger', title: t('notRemoved'), detail: errorText(error), closeLabel })
    }
  }
  const sentence = ({ field, label, position, triedCount, foundCount }: LearnedRuleRow): string => {
    const where = label === null ? t(`where.${position ?? 'subject'}`) : t('where.label', { label })
    const rule = `${t(`fields.${field.replace('.', '_')}`)} ${where}`
    return triedCount === 0 ? rule : `${rule} (${t('taught.tried', { count: triedCount, found: foundCount })})`
  }
  return async () => {
    // The order is saved: what cannot be asked now stands on the customer's page.
    const { items } = await callApi(listTaughtRules, { params: { id } }).catch(() => ({ items: [] }))
    if (items.length === 0) return
    notify({
      tone: 'info',
      icon: 'bulb',
      title: t('taught.title'),
      detail: items.map(sentence).join('; '),
      action: { label: t('taught.forget'), onClick: () => void forget(items) },
      closeLabel,
    })
  }
}
