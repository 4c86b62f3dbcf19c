import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** What an order's field is called, with the part of the form it stands in: `Stop 2 › When`, `Cargo 1 › Weight`. */
function orderLabelOf(t: TFunction<['order', 'cargo']>, path: string): string {
  const [top, index, ...rest] = path.split('.')
  const field = rest.find((part) => !/^\d+$/.test(part) && part !== 'assignment')
  const number = Number(index) + 1
  if (top === 'cargo' && index !== undefined)
    return join(
      t('cargo:lineNumber', { line: number }),
      field === undefined ? null : t(`cargo:fields.${field}`, { defaultValue: '' }),
    )
  if (top === 'locations' && index !== undefined)
    return join(
      t('stopNumber', { stop: number }),
      field === undefined ? null : t(`stopFields.${field}`, { defaultValue: '' }),
    )
  if (top === 'routes' && index !== undefined)
    return join(
      t('routeNumber', { route: number }),
      field === undefined ? null : t(`routeFields.${field}`, { defaultValue: '' }),
    )
  // Told in the history alone, whose texts the form has.
  if (top === 'extra') return t(`history:extra.fields.${index}`, { defaultValue: top })
  if (top === 'billedLoad')
    return join(t('fields.billedLoad'), index === undefined ? null : t(`cargo:fields.${index}`, { defaultValue: '' }))
  return t(`fields.${top}`, { defaultValue: top })
}

const join = (part: string, field: string | null): string => (field ? `${part} › ${field}` : part)

/** The same, for the person's language. */
export function useOrderLabels(): (path: string) => string {
  const { t } = useTranslation(['order', 'cargo'])
  return useMemo(() => (path: string) => orderLabelOf(t, path), [t])
}
