import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { PaperPage } from '@waybill/contract/public/paper-page'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { isCounted } from '../../kit/records/counted-paper.ts'
import type { PaperLink, Wanted } from './paper-link.repository.ts'

/** What came for a paper since an instant, the newest first. */
export async function papersSince(
  ctx: Ctx,
  { carrierCompanyId, documentType }: Wanted,
  since: string,
): Promise<(PaperPage['files'][number] & { sha256: string })[]> {
  const rows = await ctx.db
    .selectFrom('document')
    .select(['id', 'title', 'sizeBytes', 'createdAt', 'expiredAt', 'acceptance', 'refusalReason', 'sha256'])
    .where('ownerKind', '=', 'carrierCompany')
    .where('ownerId', '=', carrierCompanyId)
    .where('documentType', '=', documentType)
    .where('createdAt', '>=', since)
    .where('acceptance', 'is not', null)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, acceptance: row.acceptance! }))
}

interface Facts {
  language: Language
  carrier: string
  title: string
  phone: string | null
  email: string | null
  logo: Buffer | null
  contactPhone: string | null
  contactName: string
  endsOn: string | null
}

/** What the page of a link shows. Error: `not_found`. */
export async function paperPage(ctx: Ctx, link: PaperLink): Promise<PaperPage> {
  const { carrierCompanyId, documentType, departmentId } = link
  const { rows } = await sql<Facts>`
    select coalesce(k.language, ck.language, 'en') as language, k.title as carrier, co.title, co.phone, co.email,
      logo.png as logo, coalesce(d.phone, co.phone) as "contactPhone", d.abbreviation as "contactName",
      (select max(paper."expiredAt") from document paper where paper."ownerKind" = 'carrierCompany'
        and paper."ownerId" = k.id and paper."documentType" = ${documentType} and ${isCounted('paper')}) as "endsOn"
    from carrier_company k join country ck on ck.id = k."countryId"
      join department d on d.id = ${departmentId} join company co on co.id = d."companyId"
      left join company_logo logo on logo."companyId" = co.id
    where k.id = ${carrierCompanyId}
  `.execute(ctx.db)
  const [facts] = rows
  if (!facts) throw new AppError('not_found')
  const { language, carrier, title, phone, email, logo, contactPhone, contactName, endsOn } = facts
  const files = await papersSince(ctx, link, link.createdAt)
  return {
    language,
    carrier,
    company: { title, phone, email, logo: logo?.toString('base64') ?? null },
    contact: { name: contactName, phone: contactPhone },
    documentType,
    endsOn,
    files: files.map(({ sha256: _sha256, ...file }) => file),
  }
}
