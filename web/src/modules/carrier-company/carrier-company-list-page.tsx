import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { carrierCompanyApi, type CarrierCompany } from '@waybill/contract/carrier-company'
import { countryApi } from '@waybill/contract/country'
import { EXPIRY_WARNINGS } from '@waybill/contract/kit/expiry'
import { vehicleTypeApi } from '@waybill/contract/type-list'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateChange } from '../../kit/form/state-change.tsx'
import type { ListFilter } from '../../kit/list/filters.ts'
import { ListPage } from '../../kit/list/list-page.tsx'
import { useList } from '../../kit/list/use-list.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { CARRIER_PHONE_GRID, carrierPath, useCarrierColumns, type CarrierCompanyRow } from './carrier-company-columns.tsx'
import { useCarrierStateQuestion } from './carrier-company-words.ts'

const CREATE = '/carrier-companies/create' as string

/** All carriers. */
export function CarrierCompanyListPage() {
  const { t } = useTranslation('carrier-company')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const filters = useMemo(
    (): ListFilter[] => [
      { kind: 'choices', name: 'documentWarning', label: t('tab.documents'), choices: EXPIRY_WARNINGS.map((value) => ({ value, label: t(`warning.${value}`) })) },
      { kind: 'records', name: 'countryId', label: t('fields.countryId'), api: countryApi },
      { kind: 'records', name: 'vehicleTypeId', label: t('fields.vehicleTypeIds'), api: vehicleTypeApi },
    ],
    [t],
  )
  const list = useList(carrierCompanyApi, { filters })
  const { ask, dialog } = useStateChange<typeof carrierCompanyApi, CarrierCompanyRow>({ api: carrierCompanyApi, question: useCarrierStateQuestion(), onChanged: () => void queries.invalidateQueries({ queryKey: [carrierCompanyApi.path] }) })
  useShortcut({ key: 'n', label: t('create'), run: () => void navigate({ to: CREATE }) })
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={<CreateButton />}
        importTo="/carrier-companies/import"
        columns={useCarrierColumns(ask)}
        rowName={(carrier: Pick<CarrierCompany, 'title'>) => carrier.title}
        onOpen={(carrier) => void navigate({ to: carrierPath(carrier.id) })}
        emptyText={t('empty')}
        emptyAction={<CreateButton />}
        phoneGrid={CARRIER_PHONE_GRID}
        minWidth={1100}
      />
      {dialog}
    </>
  )
}

function CreateButton() {
  const { t } = useTranslation('carrier-company')
  return (
    <Button size="compact-sm" variant="filled" leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to={CREATE} {...props} />}>
      {t('create')}
    </Button>
  )
}
