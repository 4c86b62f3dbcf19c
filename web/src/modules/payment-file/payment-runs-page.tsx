import { useNavigate, useSearch } from '@tanstack/react-router'
import type { PaymentFile } from '@waybill/contract/payment-file/payment-file'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { InvoiceTabs } from '../invoice/invoice-tabs-section.tsx'
import { NewRun } from './new-run.tsx'
import classes from './payment-file.module.css'
import { RunExport, RunList } from './run-list.tsx'
import { RunMadeModal } from './run-made-modal.tsx'

/** Paying carriers: a new run, or the runs that there are; which of both, and which run, stands in the address. */
export function PaymentRunsPage() {
  const { t } = useTranslation('payment-file')
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { view?: unknown; run?: unknown }
  const view = search.view === 'runs' ? 'runs' : 'new'
  const openId = Number.isSafeInteger(Number(search.run)) && Number(search.run) > 0 ? Number(search.run) : null
  const go = (next: { view?: 'runs'; run?: number }) =>
    void navigate({ to: '/invoices/payment-runs' as string, search: next as never })
  // What narrows the list stays.
  const open = useCallback(
    (id: number) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, view: 'runs', run: id })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  const [made, setMade] = useState<PaymentFile | null>(null)
  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        actions={
          <>
            <Segmented
              label={t('title')}
              value={view}
              onChange={(next) => go(next === 'runs' ? { view: 'runs' } : {})}
              options={[
                { value: 'new', label: t('view.new') },
                { value: 'runs', label: t('view.runs') },
              ]}
            />
            {view === 'runs' ? <RunExport /> : null}
          </>
        }
      />
      <InvoiceTabs current="runs" />
      {view === 'new' ? <NewRun onMade={setMade} /> : <RunList openId={openId} onOpen={open} />}
      <RunMadeModal
        run={made}
        onClose={() => setMade(null)}
        onShow={(id) => {
          setMade(null)
          go({ view: 'runs', run: id })
        }}
      />
    </div>
  )
}
