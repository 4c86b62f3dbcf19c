import type { OperationsNode } from '@waybill/contract/operations/overview'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { Section } from '../../ui/page/section.tsx'
import classes from './operations-page.module.css'

type Row = OperationsNode & { place: number }

/** The Waybills of one database, where there are several: which have another version, or other settings. */
export function Nodes({ nodes }: { nodes: readonly OperationsNode[] }) {
  const { t } = useTranslation('operations')
  const columns = useColumns()
  const rows = useMemo(() => nodes.map((node, place): Row => ({ ...node, place })), [nodes])
  if (nodes.every(({ isThis }) => isThis)) return null
  return (
    <Section title={t('nodes.title')} isFlush>
      <DataTable
        label={t('nodes.title')}
        columns={columns}
        rows={rows}
        rowKey={({ place }) => place}
        rowName={({ host, port }) => `${host}:${port}`}
        phoneGrid='"server version" auto "remarks remarks" auto / minmax(0, 1fr) auto'
        minWidth={640}
      />
    </Section>
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('operations')
  const format = useFormat()
  return useMemo(
    (): Column<Row>[] => [
      {
        key: 'server',
        head: t('fact.node'),
        width: 240,
        cell: ({ host, port }) => (
          <span className={classes.words}>
            {host}
            <span className={classes.dim}>:{port}</span>
          </span>
        ),
      },
      {
        key: 'version',
        head: t('fact.version'),
        width: 110,
        cell: ({ version, isOtherVersion }) => (
          <span className={isOtherVersion ? classes.bad : undefined}>{version}</span>
        ),
      },
      {
        key: 'since',
        head: t('nodes.since'),
        width: 170,
        isHiddenOnPhone: true,
        cell: ({ startedAt }) => format.dateTime(startedAt),
      },
      { key: 'remarks', head: t('nodes.remarks'), cell: (node) => <Remarks node={node} /> },
    ],
    [t, format],
  )
}

function Remarks({ node }: { node: OperationsNode }) {
  const { t } = useTranslation('operations')
  const format = useFormat()
  if (node.isThis) return <span className={classes.dim}>{t('fact.nodeMeans')}</span>
  const wrong = [
    ...(node.isSilent ? [t('nodes.silent', { time: format.dateTime(node.seenAt) })] : []),
    ...(node.isOtherVersion ? [t('nodes.otherVersion')] : []),
    ...(node.otherSettings.length > 0
      ? [t('nodes.otherSettings', { settings: format.list(node.otherSettings), count: node.otherSettings.length })]
      : []),
  ]
  return wrong.length === 0 ? t('nodes.same') : <span className={classes.bad}>{wrong.join('; ')}</span>
}
