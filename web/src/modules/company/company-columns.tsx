import { Link } from '@tanstack/react-router'
import type { Company } from '@waybill/contract/company'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { useStateColumns } from '../../kit/list/page/state-columns.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import classes from './company.module.css'

/** Where one is opened. */
export const companyPath = (id: number): string => `/companies/${id}/edit`

/** The card of a phone. */
export const COMPANY_PHONE_GRID = '"title actions" 28px "city country" 20px "marks marks" auto / minmax(0, 1fr) auto'

/** The columns of the list; `onState` asks before one is deactivated or activated. */
export function useCompanyColumns(onState: (company: Company) => void): readonly ListColumn<Company>[] {
  const { t } = useTranslation('company')
  const stateColumns = useStateColumns('title', onState)
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('fields.title'),
        cell: (company) => <Link to={companyPath(company.id)}>{company.title}</Link>,
      },
      {
        id: 'code',
        header: t('fields.code'),
        meta: { width: 80, isHiddenOnPhone: true },
        cell: (company) => company.code,
      },
      {
        id: 'vatNumber',
        header: t('fields.vatNumber'),
        isSortable: false,
        meta: { width: 150, isHiddenOnPhone: true },
        cell: (company) => formatVatNumber(company.vatNumber),
      },
      {
        id: 'city',
        header: t('fields.city'),
        meta: { width: 130 },
        cell: (company) => company.city,
      },
      {
        id: 'country',
        header: t('fields.countryId'),
        isSortable: false,
        meta: { width: 120 },
        cell: (company) => company.country.title,
      },
      {
        id: 'marks',
        header: t('column.marks'),
        isSortable: false,
        meta: { width: 176 },
        cell: (company) =>
          company.bankAccounts.some(({ confirmedById }) => confirmedById === null) ? (
            <span className={classes.marks}>
              <Mark level={2} title={t('unconfirmedMeans')}>
                {t('unconfirmedAccount')}
              </Mark>
            </span>
          ) : null,
      },
      ...stateColumns,
    ],
    [t, stateColumns],
  )
}
