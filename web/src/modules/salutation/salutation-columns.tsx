import { Link } from '@tanstack/react-router'
import type { Salutation } from '@waybill/contract/salutation'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { useStateColumns } from '../../kit/list/page/state-columns.tsx'

/** Where one is opened. */
export const salutationPath = (id: number): string => `/salutations/${id}/edit`

/** The card of a phone. */
export const SALUTATION_PHONE_GRID = '"title actions" 28px "gender country" 20px / minmax(0, 1fr) auto'

/** The columns of the list; `onState` asks before one is deactivated or activated. */
export function useSalutationColumns(onState: (salutation: Salutation) => void): readonly ListColumn<Salutation>[] {
  const { t } = useTranslation('salutation')
  const stateColumns = useStateColumns('title', onState)
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('fields.title'),
        cell: ({ row: { original: salutation } }) => <Link to={salutationPath(salutation.id)}>{salutation.title}</Link>,
      },
      {
        id: 'gender',
        header: t('fields.gender'),
        enableSorting: false,
        meta: { width: 160 },
        cell: ({ row: { original: salutation } }) => t(`gender.${salutation.gender}`),
      },
      {
        id: 'country',
        header: t('fields.countryId'),
        enableSorting: false,
        meta: { width: 240 },
        cell: ({ row: { original: salutation } }) => salutation.country.title,
      },
      ...stateColumns,
    ],
    [t, stateColumns],
  )
}
