ALTER TABLE "sandbox"."card_objects" ADD COLUMN "lookup_key" text;--> statement-breakpoint
ALTER TABLE "sandbox"."card_objects" ADD COLUMN "product" text;--> statement-breakpoint
ALTER TABLE "sandbox"."card_objects" ADD COLUMN "subscription" text;--> statement-breakpoint
ALTER TABLE "sandbox"."card_objects" ADD COLUMN "invoice" text;--> statement-breakpoint
ALTER TABLE "sandbox"."card_objects" ADD COLUMN "status" text;--> statement-breakpoint
ALTER TABLE "sandbox"."card_objects" ADD COLUMN "due_at" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "card_objects_lookup_key" ON "sandbox"."card_objects" USING btree ("lookup_key");--> statement-breakpoint
CREATE INDEX "card_objects_of_product" ON "sandbox"."card_objects" USING btree ("product") WHERE "sandbox"."card_objects"."product" is not null;--> statement-breakpoint
CREATE INDEX "card_objects_of_subscription" ON "sandbox"."card_objects" USING btree ("subscription","kind","place" DESC NULLS LAST) WHERE "sandbox"."card_objects"."subscription" is not null;--> statement-breakpoint
CREATE INDEX "card_objects_of_invoice" ON "sandbox"."card_objects" USING btree ("invoice") WHERE "sandbox"."card_objects"."invoice" is not null;--> statement-breakpoint
CREATE INDEX "card_objects_due" ON "sandbox"."card_objects" USING btree ("due_at","place") WHERE "sandbox"."card_objects"."due_at" is not null;