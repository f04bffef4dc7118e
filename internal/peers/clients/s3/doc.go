// Package s3 holds package s3blobs against a server of S3's protocol, rclone's gofakes3, which checks signatures, conditions
// and checksums, in both styles of addresses.
package s3
