import { Button } from '@mantine/core'
import type { PaymentFile } from '@waybill/contract/payment-file/payment-file'
import { useTranslation } from 'react-i18next'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { downloadRun, shortHash } from './download-run.ts'
import classes from './payment-file.module.css'

interface RunMadeModalProps {
  /** Null: closed */
  run: PaymentFile | null
  onClose: () => void
  onShow: (id: number) => void
}

/** Says that the file is there, and the three steps at the bank. */
export function RunMadeModal({ run, onClose, onShow }: RunMadeModalProps) {
  const { t } = useTranslation(['payment-file', 'common'])
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const download = () => {
    if (run === null) return
    downloadRun(run.id).catch((error: unknown) =>
      notify({
        tone: 'danger',
        title: t('payment-file:panel.refused'),
        detail: refusalWords(error).join('. '),
        closeLabel: t('common:close'),
      }),
    )
  }
  return (
    <ModalFrame
      isOpen={run !== null}
      onClose={onClose}
      title={t('payment-file:made.title', { number: run?.number })}
      closeLabel={t('common:close')}
      onSubmit={download}
      footer={
        <>
          <Button variant="default" onClick={() => run !== null && onShow(run.id)}>
            {t('payment-file:made.show')}
          </Button>
          <Button type="submit" variant="filled" leftSection={<Icon name="download" size={14} />}>
            {t('payment-file:made.download')}
          </Button>
        </>
      }
    >
      {run === null ? null : (
        <>
          <p>
            {t('payment-file:made.sum', {
              invoices: t('payment-file:panel.invoices', { count: run.invoiceCount }),
              payments: t('payment-file:made.payments', { count: run.paymentCount }),
              amount: format.euro(run.totalCents),
              date: format.weekdayDate(run.executionDate),
            })}{' '}
            {t('payment-file:made.stay')}
          </p>
          <dl className={`${classes.facts} ${classes.boxed}`}>
            <dt>{t('payment-file:fact.file')}</dt>
            <dd>
              {t('payment-file:fact.size', {
                name: run.fileName,
                kilobytes: format.number(Math.max(1, Math.round(run.sizeBytes / 1000))),
              })}
            </dd>
            <dt>{t('payment-file:fact.format')}</dt>
            <dd>{t('payment-file:fact.pain')}</dd>
            <dt>{t('payment-file:fact.hash')}</dt>
            <dd className={classes.mono} title={run.sha256}>
              {shortHash(run.sha256)}
            </dd>
          </dl>
          <ol className={classes.steps}>
            <li>{t('payment-file:made.upload')}</li>
            <li>{t('payment-file:made.compare')}</li>
            <li>{t('payment-file:made.confirm')}</li>
          </ol>
        </>
      )}
    </ModalFrame>
  )
}
