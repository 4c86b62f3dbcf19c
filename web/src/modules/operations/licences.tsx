import { useQuery } from '@tanstack/react-query'
import { listLicences, type Licence } from '@waybill/contract/operations/overview'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { Section } from '../../ui/page/section.tsx'
import classes from './operations-page.module.css'

type Row = Licence & { place: number }

/** The software of others in this Waybill, asked for when it is opened. */
export function Licences() {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const [sought, setSought] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['licences'],
    queryFn: ({ signal }) => callApi(listLicences, { signal }),
    enabled: isOpen,
    staleTime: Infinity,
    meta: { showsRefusals: true },
  })
  const rows = useMemo(() => {
    const words = sought.trim().toLowerCase()
    const found = data?.items.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(words))
    return found?.map((one, place): Row => ({ ...one, place })) ?? null
  }, [data, sought])
  const columns = useColumns()
  return (
    <Section
      title={t('licences.title')}
      summary={data === undefined ? undefined : format.number(data.items.length)}
      isCollapsible
      isOpen={isOpen}
      onToggle={setOpen}
      isFlush
    >
      {error === null ? (
        <div className={classes.licences}>
          <div className={classes.search}>
            <TextField
              label={t('licences.search')}
              value={sought}
              onChange={({ currentTarget }) => setSought(currentTarget.value)}
            />
          </div>
          <DataTable<Row>
            label={t('licences.title')}
            columns={columns}
            rows={rows}
            rowKey={({ place }) => place}
            rowName={({ name }) => name}
            empty={<p className={classes.none}>{t('licences.none')}</p>}
            phoneGrid='"name version" auto "licence licence" auto / minmax(0, 1fr) auto'
            minWidth={560}
          />
        </div>
      ) : (
        <LoadError error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('operations')
  return useMemo(
    (): Column<Row>[] => [
      { key: 'name', head: t('licences.name'), cell: ({ name }) => <span className={classes.words}>{name}</span> },
      { key: 'version', head: t('licences.version'), width: 150, cell: ({ version }) => version },
      { key: 'licence', head: t('licences.licence'), width: 220, cell: ({ licence }) => licence },
    ],
    [t],
  )
}
