// Starts the client for .NET while another program holds the file of markers, as scanners for viruses do, and prints what the file has afterwards.
using System;
using System.IO;

public static class Locked
{
    public static void Main(string[] args)
    {
        var file = Path.Combine(args[0], "markers.jsonl");
        Gamekeeper.Client client;
        using (new FileStream(file, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            client = new Gamekeeper.Client(new Gamekeeper.Options
            {
                Url = "http://127.0.0.1:1", Key = "sdk_test", Folder = args[0], FlushSeconds = 3600,
                OnProblem = (kind, message) => Console.WriteLine(kind)
            });
            client.Track("Held", "ada");
        }
        client.Track("Free", "ada");
        client.Dispose();
        Console.Write(File.ReadAllText(file));
    }
}
