// Package s3blobs keeps values that are too large for items in a bucket of Amazon S3, or of what speaks its protocol: it is a
// [tablewright.BlobStore] for tablewright.Offload.
//
//	store, err := s3blobs.Open(ctx, s3blobs.Options{Bucket: "my-shop", Prefix: "documents/"})
//	large := tablewright.Offload{Store: store, Compress: true}
//	err = large.Write(ctx, tablewright.Blob{}, text, func(b tablewright.Blob) error {
//		return Documents.Create(Document{ID: "d1", Text: b}).Run(ctx, db)
//	})
//
// It sends plain HTTP requests, signed with the credentials of AWS's configuration chain; the SDK's client for S3, which is
// large, is not needed. Permissions: s3:PutObject, s3:GetObject and s3:DeleteObject on the objects, for List (and so Sweep)
// s3:ListBucket on the bucket; without that, S3 tells of an object that is not there that access is denied.
//
// # What is sure
//
// An upload carries its SHA-256, which S3 holds the bytes to and stores; a download is held to what is stored. A value that is
// damaged on the way, or cut off, is an error, never a value. Requests are repeated after what passes (throttling, faults of
// the service, broken connections) with growing pauses, until Retry is used up or ctx ends. Puts and deletes have the same
// effect twice. [Store.Create], which must not replace anything, tells its own first try from somebody else's object.
//
// # Clean-up
//
// Offload.Write deletes the object that an item no longer refers to. What a crash leaves behind is found by Sweep: it lists the
// bucket, reads the references of all items, and deletes what nobody refers to and is older than a grace:
//
//	referred := func(yield func(tablewright.Blob, error) bool) {
//		for d, err := range Documents.Scan().Intended().All(ctx, db) {
//			if !yield(d.Text, err) {
//				return
//			}
//		}
//	}
//	removed, err := large.Sweep(ctx, referred, 24*time.Hour)
//
// Items that expire by time to live leave their objects behind, too; a lifecycle rule of the bucket on Prefix is the other way
// (docs.aws.amazon.com/AmazonS3/latest/userguide/object-lifecycle-mgmt.html).
package s3blobs
