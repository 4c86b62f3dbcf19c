import { sql } from 'kysely'
import { addDays } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { linkToSend } from '../../../src/modules/paper-link/index.ts'
import { insertRows } from '../bulk.ts'
import { DAY, HOUR, iso } from '../calendar.ts'
import { keepFile } from '../files.ts'
import type { World } from '../world.ts'
import { firmsOf, paperPdf } from './partner-papers.ts'

interface Ending {
  carrierCompanyId: number
  endsOn: string
  insuredCents: number
}

/** When each was asked, and when its answer came, before now. */
const ASKED_BEFORE = 6 * DAY
const CAME_BEFORE = [2 * DAY + 3 * HOUR, 5 * HOUR]

/**
 * The two carriers whose insurance ends first were asked for the next one, and have handed it in by their link: it
 * waits to be looked at. Nothing here is by chance, so that the rest of the year stays as it is.
 */
export async function seedNewPapers(ctx: Ctx, world: World, kept: string[]): Promise<void> {
  const { db } = ctx
  const asker = world.users.find(({ job }) => job === 'accountant')!
  const departmentId = world.departments['FTL West'].id
  const { rows: ending } = await sql<Ending>`
    select d."ownerId" as "carrierCompanyId", max(d."expiredAt")::text as "endsOn",
        (array_agg(d."insuredCents" order by d."expiredAt" desc))[1] as "insuredCents"
      from document d join carrier_company k on k.id = d."ownerId" and k.state = 'active'
      where d."ownerKind" = 'carrierCompany' and d."documentType" = 'INSURANCE_DOCUMENT'
      group by d."ownerId" order by max(d."expiredAt"), d."ownerId" limit ${sql.lit(CAME_BEFORE.length)}
  `.execute(db)
  const firms = await firmsOf(db, 'carrier_company')
  const asked: Ctx = { ...ctx, clock: { now: () => new Date(world.now - ASKED_BEFORE) } }
  const papers: Record<string, unknown>[] = []
  const requests: Record<string, unknown>[] = []
  for (const [index, { carrierCompanyId, endsOn, insuredCents }] of ending.entries()) {
    await linkToSend(asked, { carrierCompanyId, documentType: 'INSURANCE_DOCUMENT' }, departmentId)
    const base = { carrierCompanyId, documentType: 'INSURANCE_DOCUMENT', stepDays: null }
    requests.push({ ...base, endsOn, askedAt: iso(world.now - ASKED_BEFORE), askedById: asker.id })
    const createdAt = iso(world.now - CAME_BEFORE[index]!)
    const expiredAt = addDays(endsOn, 365)
    const file = await keepFile(
      ctx.ports.files,
      await paperPdf({
        firm: firms.get(carrierCompanyId)!,
        heading: 'Certificate of insurance',
        issuer: 'Nordmark Transportversicherung AG',
        lines: [
          `Policy no. 48-${7_310_000 + carrierCompanyId}`,
          "Carrier's liability in international road transport (CMR)",
          `Limit per loss: EUR ${(insuredCents / 100).toLocaleString('de-DE')}`,
          `Insured from ${addDays(endsOn, 1)} to ${expiredAt}`,
        ],
        createdAt,
      }),
    )
    kept.push(file.fileKey)
    papers.push({
      ownerKind: 'carrierCompany',
      ownerId: carrierCompanyId,
      documentType: 'INSURANCE_DOCUMENT',
      title: 'CMR insurance (new).pdf',
      contentType: 'application/pdf',
      ...file,
      expiredAt,
      insuredCents,
      acceptance: 'toCheck',
      createdAt,
    })
    const changes = Object.entries({ documentType: 'INSURANCE_DOCUMENT', expiredAt, insuredCents }).map(
      ([path, to]) => ({ path, from: null, to }),
    )
    const entry = { actorId: null, ownerKind: 'carrierCompany' as const, ownerId: carrierCompanyId, reason: null }
    world.journal.push({ ...entry, at: createdAt, action: 'fileAdded', changes })
  }
  await insertRows(db, 'document', papers)
  await insertRows(db, 'paper_request', requests)
}
