import { carrierCompanyApi, type CarrierCompany } from '@waybill/contract/carrier-company'
import { countryApi } from '@waybill/contract/country'
import { EXPIRY_WARNINGS } from '@waybill/contract/kit/expiry'
import { vehicleTypeApi } from '@waybill/contract/type-list'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import {
  CARRIER_PHONE_GRID,
  carrierPath,
  useCarrierColumns,
  type CarrierCompanyRow,
} from './carrier-company-columns.tsx'
import { useCarrierStateQuestion } from './carrier-company-words.ts'

/** All carriers. */
export function CarrierCompanyListPage() {
  const { t } = useTranslation('carrier-company')
  const filters = useMemo(
    (): ListFilter[] => [
      {
        kind: 'choices',
        name: 'documentWarning',
        label: t('tab.documents'),
        choices: EXPIRY_WARNINGS.map((value) => ({ value, label: t(`warning.${value}`) })),
      },
      { kind: 'records', name: 'countryId', label: t('fields.countryId'), api: countryApi },
      { kind: 'records', name: 'vehicleTypeId', label: t('fields.vehicleTypeIds'), api: vehicleTypeApi },
    ],
    [t],
  )
  const list = useList(carrierCompanyApi, { filters })
  const { ask, dialog } = useStateOfRows<CarrierCompanyRow>(carrierCompanyApi, useCarrierStateQuestion())
  return (
    <ListPage
      list={list}
      title={t('title')}
      note={<Link to={'/carrier-companies/clearance' as string}>{t('endingPapers')}</Link>}
      create={{ to: '/carrier-companies/create', label: t('create') }}
      importTo="/carrier-companies/import"
      columns={useCarrierColumns(ask)}
      rowName={(carrier: Pick<CarrierCompany, 'title'>) => carrier.title}
      pathOf={carrierPath}
      emptyText={t('empty')}
      phoneGrid={CARRIER_PHONE_GRID}
      minWidth={1100}
    >
      {dialog}
    </ListPage>
  )
}
