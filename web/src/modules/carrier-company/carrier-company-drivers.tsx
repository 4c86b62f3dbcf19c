import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ChildGrid, type ChildColumn } from '../../kit/form/fields/child-grid.tsx'
import { Section } from '../../ui/page/section.tsx'
import { EMPTY_DRIVER } from './carrier-company-values.ts'

/** Who drives for the carrier, and with which plate. */
export function CarrierDrivers() {
  const { t } = useTranslation('carrier-company')
  const columns = useMemo(
    (): readonly ChildColumn[] => [
      { field: 'fullName', label: t('fields.fullName'), maxLength: 150, isRequired: true },
      { field: 'phone', label: t('fields.phone'), width: 170, maxLength: 50, type: 'tel' },
      { field: 'email', label: t('fields.email'), maxLength: 250, type: 'email' },
      { field: 'plateNumber', label: t('fields.plateNumber'), width: 150, maxLength: 20 },
    ],
    [t],
  )
  return (
    <Section title={t('tab.drivers')} isFlush>
      <ChildGrid
        name="drivers"
        label={t('tab.drivers')}
        columns={columns}
        empty={EMPTY_DRIVER}
        addLabel={t('addDriver')}
        removeLabel={(line) => t('removeLine', { what: t('line.drivers', { line }) })}
        emptyText={t('noDrivers')}
      />
    </Section>
  )
}
