import { Link } from '@tanstack/react-router'
import type { Country } from '@waybill/contract/country'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { useStateColumns } from '../../kit/list/page/state-columns.tsx'

/** Where one is opened. */
export const countryPath = (id: number): string => `/countries/${id}/edit`

/** The card of a phone. */
export const COUNTRY_PHONE_GRID = '"title actions" 28px "code standardVatBp" 20px / minmax(0, 1fr) auto'

/** The columns of the list; `onState` asks before one is deactivated or activated. */
export function useCountryColumns(onState: (country: Country) => void): readonly ListColumn<Country>[] {
  const { t } = useTranslation(['country', 'form'])
  const format = useFormat()
  const stateColumns = useStateColumns('title', onState)
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('fields.title'),
        cell: ({ row: { original: country } }) => <Link to={countryPath(country.id)}>{country.title}</Link>,
      },
      {
        id: 'code',
        header: t('fields.code'),
        meta: { width: 96 },
        cell: ({ row: { original: country } }) => country.code,
      },
      {
        id: 'isEu',
        header: t('fields.isEu'),
        enableSorting: false,
        meta: { width: 112, isHiddenOnPhone: true },
        cell: ({ row: { original: country } }) => t(country.isEu ? 'form:yes' : 'form:no'),
      },
      {
        id: 'standardVatBp',
        header: t('fields.standardVatBp'),
        meta: { width: 164, align: 'end' },
        cell: ({ row: { original: country } }) => format.percent(country.standardVatBp),
      },
      {
        id: 'timeZone',
        header: t('fields.timeZone'),
        enableSorting: false,
        meta: { width: 190, isHiddenOnPhone: true },
        cell: ({ row: { original: country } }) => country.timeZone,
      },
      ...stateColumns,
    ],
    [t, format, stateColumns],
  )
}
