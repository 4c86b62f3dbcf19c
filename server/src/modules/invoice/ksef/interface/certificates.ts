import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { KsefCertificate } from '@waybill/contract/invoice/ksef/certificates'
import { KSEF_CERTIFICATE_KINDS, type KsefCertificateKind } from '@waybill/contract/e-invoice/ksef-states'
import { nipOf } from '@waybill/contract/invoice/ksef/numbers'
import { actorOf, nowOf, type Ctx } from '../../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../../kit/context/errors.ts'
import { audit } from '../../../../kit/records/audit.ts'
import type { KsefAccess } from './ksef-interface.ts'
import '../ksef.table.ts'

/** What a company's key is sealed for. */
export const ksefKeyContext = (companyId: number, kind: KsefCertificateKind): string =>
  `ksef ${kind} key of company ${companyId}`

async function refuseUnknown(ctx: Ctx, companyId: number): Promise<void> {
  const found = await ctx.db.selectFrom('company').select('id').where('id', '=', companyId).executeTakeFirst()
  if (found === undefined) throw new AppError('not_found')
}

/** The certificates of a company, without their keys. Errors: `not_found`. */
export async function listCertificates(ctx: Ctx, companyId: number): Promise<{ items: KsefCertificate[] }> {
  await refuseUnknown(ctx, companyId)
  const rows = await ctx.db
    .selectFrom('ksef_certificate')
    .select(['kind', 'serial', 'subject', 'validFrom', 'validTo'])
    .where('companyId', '=', companyId)
    .execute()
  const order = (kind: KsefCertificateKind) => KSEF_CERTIFICATE_KINDS.indexOf(kind)
  return { items: rows.toSorted((one, other) => order(one.kind) - order(other.kind)) }
}

function read(certificate: string): X509Certificate {
  try {
    return new X509Certificate(certificate)
  } catch {
    throw fieldError('certificate', 'invalid_certificate')
  }
}

function readKey(privateKey: string, passphrase: string | null): string {
  try {
    const key = createPrivateKey({ key: privateKey, ...(passphrase !== null && { passphrase }) })
    if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec') throw new Error('unknown kind')
    return key.export({ type: 'pkcs8', format: 'pem' }) as string
  } catch {
    throw fieldError('privateKey', 'invalid_private_key')
  }
}

/**
 * Keeps a certificate with its key, which is sealed and never shown again. Errors: `not_found`; `invalid_certificate`
 * for one that cannot be read or has ended, `invalid_private_key` for a key that cannot be read or is of another
 * certificate.
 */
export async function keepCertificate(
  ctx: Ctx,
  { companyId, kind }: { companyId: number; kind: KsefCertificateKind },
  given: { certificate: string; privateKey: string; passphrase: string | null },
): Promise<{ items: KsefCertificate[] }> {
  await refuseUnknown(ctx, companyId)
  const found = read(given.certificate)
  const key = readKey(given.privateKey, given.passphrase)
  if (!found.checkPrivateKey(createPrivateKey(key))) throw fieldError('privateKey', 'invalid_private_key')
  const [validFrom, validTo] = [new Date(found.validFrom), new Date(found.validTo)]
  if (validTo <= ctx.clock.now()) throw fieldError('certificate', 'invalid_certificate')
  const row = {
    certificate: found.toString(),
    sealedKey: ctx.ports.vault.seal(key, ksefKeyContext(companyId, kind)),
    serial: found.serialNumber,
    subject: found.subject.replaceAll('\n', ', ').slice(0, 500),
    validFrom: validFrom.toISOString(),
    validTo: validTo.toISOString(),
    enteredById: actorOf(ctx).userId,
    enteredAt: nowOf(ctx),
  }
  await ctx.db
    .insertInto('ksef_certificate')
    .values({ companyId, kind, ...row })
    .onConflict((conflict) => conflict.columns(['companyId', 'kind']).doUpdateSet(row))
    .execute()
  await audit(ctx, {
    ownerKind: 'company',
    ownerId: companyId,
    action: 'ksefCertificateKept',
    before: {},
    after: { ksefCertificate: row.serial },
  })
  return listCertificates(ctx, companyId)
}

/** A certificate with its key; null where there is none that is valid now, or the key cannot be opened. */
async function openedKey(ctx: Ctx, companyId: number, kind: KsefCertificateKind) {
  const found = await ctx.db
    .selectFrom('ksef_certificate')
    .select(['certificate', 'serial', 'sealedKey', 'validFrom', 'validTo'])
    .where('companyId', '=', companyId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  const now = nowOf(ctx)
  if (found === undefined || found.validTo <= now || found.validFrom > now) return null
  const privateKey = ctx.ports.vault.open(found.sealedKey, ksefKeyContext(companyId, kind))
  return privateKey === null ? null : { certificate: found.certificate, serial: found.serial, privateKey }
}

/** With what a company signs in; null where it has no valid certificate of type 1. */
export async function accessOf(ctx: Ctx, companyId: number, vatNumber: string | null): Promise<KsefAccess | null> {
  const nip = nipOf(vatNumber)
  const found = nip === null ? null : await openedKey(ctx, companyId, 'authentication')
  return found && { nip: nip!, certificate: found.certificate, privateKey: found.privateKey }
}

/** With what a company signs invoices while KSeF is away; null where it has no valid certificate of type 2. */
export const offlineKeyOf = (ctx: Ctx, companyId: number) => openedKey(ctx, companyId, 'offline')
