import type { State } from '@waybill/contract/kit/fields'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import type { Type, TypeList } from './type-lists.ts'

const FIELDS = ['title', 'state'] as const

/** What a field is called. */
export function useTypeLabels({ words }: TypeList): (path: string) => string {
  const { t } = useTranslation('type-list')
  return (path) => {
    const name = FIELDS.find((one) => path === one)
    return name === undefined ? t(`${words}.one`) : t(`fields.${name}`)
  }
}

/** What is asked before one is deactivated or activated. */
export function useTypeStateQuestion(): (type: Type, next: State) => StateQuestion {
  const { t } = useTranslation('type-list')
  return ({ title }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
