import { useMutation, useQuery } from '@tanstack/react-query'
import { previewAccountStatement, sendAccountStatement } from '@waybill/contract/payment/open-items'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { notify } from '../../ui/notices/notify.tsx'
import { SendMailSection } from '../email/send-mail-section.tsx'

interface StatementWindowProps {
  customer: { id: number; title: string }
  companyId: number
  onClose: () => void
}

/** The mail with a customer's statement of account, before it goes. */
export function StatementWindow({ customer, companyId, onClose }: StatementWindowProps) {
  const { t } = useTranslation('open-items')
  const whose = { customerId: customer.id, companyId }
  const mail = useQuery({
    queryKey: ['open-items', 'statement', whose],
    queryFn: ({ signal }) => callApi(previewAccountStatement, { query: whose as never, signal }),
    meta: { showsRefusals: true },
    gcTime: 0,
  })
  const key = useRef({ of: '', key: '' })
  const send = useMutation({
    mutationFn: (to: string) => {
      const body = { ...whose, to, balanceCents: mail.data!.balanceCents }
      // One key for one intention: pressed again after a lost answer it is the same mail.
      const text = JSON.stringify(body)
      if (key.current.of !== text) key.current = { of: text, key: newIdempotencyKey() }
      return callApi(sendAccountStatement, { body, idempotencyKey: key.current.key })
    },
    onSuccess: (_sent, to) => {
      notify({ tone: 'ok', title: t('sendStatement.sent', { to }), closeLabel: t('close') })
      onClose()
    },
    // What is owed may have moved meanwhile: what is shown is what would be sent now.
    onError: () => void mail.refetch(),
  })
  return (
    <SendMailSection
      of={{ path: `companies/${companyId}/statement-mail`, id: customer.id }}
      title={t('sendStatement.title', { title: customer.title })}
      sendLabel={t('sendStatement.send')}
      mail={mail}
      send={send}
      hint={t('sendStatement.means')}
      onClose={onClose}
    />
  )
}
