ALTER TABLE "account"."moved_objects" ADD COLUMN "member_id" uuid;--> statement-breakpoint
ALTER TABLE "account"."moved_objects" ADD CONSTRAINT "moved_objects_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Who had it, as the last transfer says.
UPDATE "account"."moved_objects" AS "moved" SET "member_id" = "made"."member_id" FROM "account"."transfers" AS "made"
WHERE "made"."created_at" = "moved"."moved_at" AND "moved"."subscription_id" = ANY("made"."subscription_ids");
