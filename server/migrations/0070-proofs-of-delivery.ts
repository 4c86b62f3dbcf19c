import { sql, type Kysely } from 'kysely'

/** What a proof of delivery proves, who said that it counts or why it does not (decision 066). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table document
      add column "locationIds" bigint[],
      add column "refusalReason" text,
      add column "checkedById" bigint references "user",
      add column "checkedAt" timestamptz,
      add column "checkedFrom" jsonb
  `.execute(db)
  // Written by the demo data, which knew nothing of it.
  await sql`update document set acceptance = 'accepted'
    where "documentType" = 'PROOF_OF_DELIVERY' and acceptance is null`.execute(db)
  await sql`
    alter table document
      add constraint document_acceptance check (
        ("documentType" = 'PROOF_OF_DELIVERY') = (acceptance is not null)
        and (acceptance is null or acceptance in ('accepted', 'toCheck', 'refused'))),
      add constraint document_refusal check (
        (acceptance is not distinct from 'refused') = ("refusalReason" is not null)),
      add constraint document_proves check (acceptance is not null or "locationIds" is null)
  `.execute(db)
  await sql`create index on document ("checkedById") where "checkedById" is not null`.execute(db)
}
