import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { HolderKind } from '@waybill/contract/load-carrier/account'
import { getStatementLetter, previewStatement, sendStatement } from '@waybill/contract/load-carrier/statement'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { openFile } from '../../kit/api/files.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { fileSize } from '../../kit/i18n/file-size.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { SendMailSection } from '../email/send-mail-section.tsx'
import classes from './load-carrier.module.css'

interface StatementWindowProps {
  holder: { kind: HolderKind; id: number }
  title: string
  onSent: () => void
  onClose: () => void
}

/** The statement of an account as its holder will read it; sending it is the confirmation. */
export function StatementWindow({ holder, title, onSent, onClose }: StatementWindowProps) {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const errorText = useErrorText()
  const mail = useQuery({
    queryKey: ['load-carriers', 'statement', holder],
    queryFn: ({ signal }) => callApi(previewStatement, { query: { holder: holder.kind, holderId: holder.id }, signal }),
    meta: { showsRefusals: true },
    gcTime: 0,
  })
  const keyOf = useIntention()
  const send = useMutation({
    mutationFn: (to: string) => {
      const body = { holder, to, balances: mail.data!.balances }
      return callApi(sendStatement, { body, idempotencyKey: keyOf(body) })
    },
    onSuccess: (_sent, to) => {
      notify({ tone: 'ok', title: t('statement.sent', { to }), closeLabel: t('close') })
      onSent()
      onClose()
    },
    // The balance may have moved meanwhile: what is shown is what would be sent now.
    onError: () => void mail.refetch(),
  })
  const letter = useMutation({
    mutationFn: () => callFile(getStatementLetter, { query: { holder: holder.kind, holderId: holder.id } }),
    onSuccess: ({ blob, fileName }) => openFile(blob, fileName),
    onError: (fault) =>
      notify({ tone: 'danger', title: t('statement.noLetter'), detail: errorText(fault), closeLabel: t('close') }),
  })
  const slips = mail.data?.slips
  return (
    <SendMailSection
      of={{ path: `load-carriers/${holder.kind}/statement-mail`, id: holder.id }}
      title={t('statement.title', { title })}
      sendLabel={t('statement.send')}
      mail={mail}
      send={send}
      hint={t('statement.means')}
      onClose={onClose}
    >
      <p className={classes.letter}>
        <span className={classes.dim}>{t('statement.letterMeans')}</span>{' '}
        {slips === undefined || slips.count === 0 ? null : (
          <span className={classes.dim}>
            {t('statement.slips', { count: slips.count, size: fileSize(slips.sizeBytes, format.number) })}
          </span>
        )}{' '}
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="file" />}
          loading={letter.isPending}
          onClick={() => letter.mutate()}
        >
          {t('statement.letter')}
        </Button>
      </p>
    </SendMailSection>
  )
}
