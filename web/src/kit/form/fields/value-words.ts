import { STATES } from '@waybill/contract/kit/fields'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/i18n.ts'

/** A field's value in words, for conflicts and the history: what holds for every record. */
export function useValueWords(): (path: string, value: unknown) => string {
  const { t } = useTranslation(['form', 'list'])
  const format = useFormat()
  return (path, value) => {
    if (value === null || value === undefined || value === '') return t('form:nothing')
    if (typeof value === 'boolean') return t(value ? 'form:yes' : 'form:no')
    const state = path === 'state' ? STATES.find((one) => one === value) : undefined
    if (state !== undefined) return t(`list:state.${state}`)
    if (typeof value === 'number') return format.number(value)
    return typeof value === 'string' ? value : ''
  }
}
