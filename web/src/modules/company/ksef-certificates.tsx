import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Company } from '@waybill/contract/company'
import {
  CERTIFICATE_WARNING_DAYS,
  listKsefCertificates,
  putKsefCertificate,
  type KsefCertificate,
} from '@waybill/contract/invoice/ksef/certificates'
import { KSEF_CERTIFICATE_KINDS, type KsefCertificateKind } from '@waybill/contract/e-invoice/ksef-states'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useFieldErrorText, useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextAreaField, TextField } from '../../ui/fields/field.tsx'
import { Light } from '../../ui/marks/light.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { RefusalsNotice } from '../../ui/notices/refusals-notice.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './company.module.css'

const DAY_MS = 86_400_000

/** With what a company signs in to KSeF, and until when that is valid. */
export function KsefCertificates({ company }: { company: Company }) {
  const { t } = useTranslation('company')
  const queryKey = ['companies', company.id, 'ksef-certificates']
  const [asked, setAsked] = useState<KsefCertificateKind | null>(null)
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(listKsefCertificates, { params: { id: company.id }, signal }),
    meta: { showsRefusals: true },
  })
  return (
    <Section title={t('ksefCertificate.title')}>
      <ul className={classes.certificates}>
        {KSEF_CERTIFICATE_KINDS.map((kind) => (
          <li key={kind}>
            <div>
              <b>{t(`ksefCertificate.${kind}`)}</b>
              <Standing certificate={data?.items.find((one) => one.kind === kind) ?? null} />
            </div>
            <Button size="compact-sm" onClick={() => setAsked(kind)}>
              {t('ksefCertificate.put')}
            </Button>
          </li>
        ))}
      </ul>
      {asked === null ? null : (
        <Entering companyId={company.id} kind={asked} queryKey={queryKey} onClose={() => setAsked(null)} />
      )}
    </Section>
  )
}

function Standing({ certificate }: { certificate: KsefCertificate | null }) {
  const { t } = useTranslation('company')
  const format = useFormat()
  const [now] = useState(() => Date.now())
  if (certificate === null) return <p>{t('ksefCertificate.none')}</p>
  const { subject, validTo } = certificate
  const left = (Date.parse(validTo) - now) / DAY_MS
  const isEnding = left < CERTIFICATE_WARNING_DAYS
  const words = t(isEnding ? 'ksefCertificate.ends' : 'ksefCertificate.validTo', {
    subject,
    date: format.date(validTo.slice(0, 10)),
  })
  return (
    <p>
      <Light level={left <= 0 ? 'stop' : isEnding ? 'look' : 'ok'} label="" /> {words}
    </p>
  )
}

function Entering({
  companyId,
  kind,
  queryKey,
  onClose,
}: {
  companyId: number
  kind: KsefCertificateKind
  queryKey: readonly unknown[]
  onClose: () => void
}) {
  const { t } = useTranslation('company')
  const queries = useQueryClient()
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const [certificate, setCertificate] = useState('')
  const [privateKey, setPrivateKey] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const missing = (text: string) => (isTried && text.trim() === '' ? fieldErrorText('required') : undefined)
  const submit = async () => {
    setTried(true)
    if (certificate.trim() === '' || privateKey.trim() === '') return
    setBusy(true)
    try {
      const kept = await callApi(putKsefCertificate, {
        params: { id: companyId, kind },
        body: { certificate, privateKey, passphrase: passphrase === '' ? null : passphrase },
      })
      queries.setQueryData(queryKey, kept)
      notify({ tone: 'ok', title: t('ksefCertificate.kept'), closeLabel: t('ksefCertificate.close') })
      onClose()
    } catch (error) {
      setRefusals(refusalWords(error))
      setBusy(false)
    }
  }
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t(`ksefCertificate.${kind}`)}
      closeLabel={t('ksefCertificate.close')}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={onClose}>{t('ksefCertificate.cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('ksefCertificate.keep')}
          </Button>
        </>
      }
    >
      <RefusalsNotice refusals={refusals} />
      <p>{t('ksefCertificate.means')}</p>
      <TextAreaField
        label={t('ksefCertificate.certificate')}
        isRequired
        value={certificate}
        error={missing(certificate)}
        maxLength={20_000}
        rows={5}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setCertificate(event.currentTarget.value)}
      />
      <TextAreaField
        label={t('ksefCertificate.privateKey')}
        isRequired
        value={privateKey}
        error={missing(privateKey)}
        maxLength={20_000}
        rows={5}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setPrivateKey(event.currentTarget.value)}
      />
      <TextField
        label={t('ksefCertificate.passphrase')}
        type="password"
        value={passphrase}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
    </ModalFrame>
  )
}
