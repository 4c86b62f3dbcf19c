import { Link } from '@tanstack/react-router'
import type { carrierCompanyApi } from '@waybill/contract/carrier-company'
import type { RowOf } from '@waybill/contract/kit/resource'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { StateButton } from '../../kit/list/page/state-columns.tsx'
import { Mark } from '../../ui/marks/marks.tsx'

export type CarrierCompanyRow = RowOf<typeof carrierCompanyApi>

/** Where one is opened. */
export const carrierPath = (id: number): string => `/carrier-companies/${id}/edit`

/** The card of a phone. */
export const CARRIER_PHONE_GRID = '"title actions" 28px "city documents" 22px / minmax(0, 1fr) auto'

/** The columns of the list; `onState` asks before one is deactivated or activated. */
export function useCarrierColumns(
  onState: (carrier: CarrierCompanyRow) => void,
): readonly ListColumn<CarrierCompanyRow>[] {
  const { t } = useTranslation(['carrier-company', 'list'])
  return useMemo(
    () => [
      {
        id: 'title',
        header: t('fields.title'),
        cell: (carrier) => (
          <Link to={carrierPath(carrier.id)} title={carrier.title}>
            {carrier.title}
          </Link>
        ),
      },
      {
        id: 'documents',
        header: t('tab.documents'),
        isSortable: false,
        meta: { width: 116 },
        cell: (carrier) =>
          carrier.isBlocked ? (
            <Mark level={3}>{t('blocked')}</Mark>
          ) : carrier.documentWarning === null ? null : (
            <Mark
              level={carrier.documentWarning === 'expired' ? 3 : 2}
              title={t(`warningMeans.${carrier.documentWarning}`)}
            >
              {t(`warning.${carrier.documentWarning}`)}
            </Mark>
          ),
      },
      {
        id: 'city',
        header: t('fields.city'),
        meta: { width: 124 },
        cell: (carrier) => <span title={carrier.city ?? undefined}>{carrier.city}</span>,
      },
      {
        id: 'country',
        header: t('fields.countryId'),
        isSortable: false,
        meta: { width: 104, isHiddenOnPhone: true },
        cell: (carrier) => <span title={carrier.country.title}>{carrier.country.title}</span>,
      },
      {
        id: 'vatNumber',
        header: t('fields.vatNumber'),
        isSortable: false,
        meta: { width: 132, isHiddenOnPhone: true },
        cell: (carrier) => formatVatNumber(carrier.vatNumber),
      },
      {
        id: 'timocomId',
        header: t('fields.timocomId'),
        isSortable: false,
        meta: { width: 92, isHiddenOnPhone: true },
        cell: (carrier) => carrier.timocomId,
      },
      {
        id: 'transId',
        header: t('fields.transId'),
        isSortable: false,
        meta: { width: 76, isHiddenOnPhone: true },
        cell: (carrier) => carrier.transId,
      },
      {
        id: 'vehicleTypes',
        header: t('fields.vehicleTypeIds'),
        isSortable: false,
        meta: { width: 150, isHiddenOnPhone: true },
        cell: (carrier) => <Vehicles carrier={carrier} />,
      },
      {
        id: 'actions',
        header: '',
        isSortable: false,
        meta: { width: 44, align: 'end' },
        cell: (carrier) => <StateButton state={carrier.state} name={carrier.title} onClick={() => onState(carrier)} />,
      },
    ],
    [t, onState],
  )
}

function Vehicles({ carrier: { vehicleTypes } }: { carrier: CarrierCompanyRow }) {
  const names = vehicleTypes.map(({ title }) => title).join(', ')
  return <span title={names}>{names}</span>
}
