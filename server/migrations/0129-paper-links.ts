import { sql, type Kysely } from 'kysely'

/** Carriers are asked for new papers, and hand them in by a link (decision 123). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table paper_link (
      id bigint generated always as identity primary key,
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      "documentType" text not null check ("documentType" in ('EU_LICENSE', 'INSURANCE_DOCUMENT')),
      "departmentId" bigint not null references department,
      nonce bytea not null check (length(nonce) = 16),
      "tokenHash" bytea not null unique check (length("tokenHash") = 32),
      "createdAt" timestamptz not null,
      "expiresAt" timestamptz not null check ("expiresAt" > "createdAt"),
      "revokedAt" timestamptz
    )
  `.execute(db)
  await sql`create unique index "conflict__paper_link" on paper_link ("carrierCompanyId", "documentType")
    where "revokedAt" is null`.execute(db)
  await sql`create index on paper_link ("departmentId")`.execute(db)

  // Which paper was asked for, when, and by whom: null by itself, so many days before its end.
  await sql`
    create table paper_request (
      id bigint generated always as identity primary key,
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      "documentType" text not null check ("documentType" in ('EU_LICENSE', 'INSURANCE_DOCUMENT')),
      "endsOn" date not null,
      "stepDays" int check ("stepDays" > 0),
      "askedAt" timestamptz not null,
      "askedById" bigint references "user",
      check (("stepDays" is null) = ("askedById" is not null))
    )
  `.execute(db)
  await sql`create unique index paper_request_once on paper_request
    ("carrierCompanyId", "documentType", "endsOn", "stepDays") where "stepDays" is not null`.execute(db)
  await sql`create index on paper_request ("carrierCompanyId", "documentType", "askedAt")`.execute(db)
  await sql`create index on paper_request ("askedById")`.execute(db)

  // What comes through such a link waits until somebody has looked at it, as proofs of delivery do.
  await sql`
    alter table document
      drop constraint document_acceptance,
      add constraint document_acceptance check (
        case when "documentType" = 'PROOF_OF_DELIVERY' then acceptance is not null
          else acceptance is null or "ownerKind" = 'carrierCompany' end
        and (acceptance is null or acceptance in ('accepted', 'toCheck', 'refused')))
  `.execute(db)
  await sql`create index document_papers_to_check on document ("ownerId")
    where "ownerKind" = 'carrierCompany' and acceptance = 'toCheck'`.execute(db)
}
